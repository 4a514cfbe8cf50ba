import { FILTERED, isSecretName, withoutSecrets } from "./secrets";
import { record, text } from "./untrusted";

const LENGTH_MAX = 1000;
const PARAMETERS_MAX = 50;

/**
 * Parses the message of an event. SDKs send a text, a template with its parameters (`logentry`, and `message`
 * in earlier versions), or only the formatted message.
 * @returns the message template without the values of its parameters, which is the same for all events that
 * one log statement reports, and the message with the values. Both are empty if the event has no message.
 */
export function readMessage(
  event: Readonly<Record<string, unknown>>,
): Readonly<{ template: string; message: string }> {
  const entry = record(event["logentry"] ?? event["message"]);
  const plain = textIn(event["message"]);
  const sent = text(entry["message"], LENGTH_MAX);
  const formatted = textIn(entry["formatted"]);
  const template = withoutSecrets(sent) || plain || formatted;
  return { template, message: formatted || plain || textIn(withParameters(sent, entry["params"])) };
}

const textIn = (value: unknown): string => withoutSecrets(text(value, LENGTH_MAX));

/** A placeholder of Python, C or JavaScript, such as `%s`, `%(name)s` and `%.2f`, or the escaped percent sign. */
const PERCENT = /%%|%(?:\((\w+)\))?[-+0#]*\d*(?:\.\d+)?[a-zA-Z]/g;
/** A placeholder of Python, .NET or Java, such as `{}`, `{0}`, `{name}` and `{:.2f}`. */
const BRACES = /\{(\w*)(?:![a-z])?(?::[^{}]*)?\}/g;
/** A byte of a URL, such as `%2F`, which is no placeholder. */
const URL_BYTE = /^%\d[A-F]$/;

/** A character for private use, which encloses the number of a value until the value is inserted. */
const MARK = "\u{E000}";
const MARKED = new RegExp(`${MARK}(\\d+)${MARK}`, "gu");

/**
 * Returns the template with the values of its parameters. A template has placeholders of one kind. A
 * placeholder without a value stays as it is. If a placeholder is in the place of a secret, such as
 * `?token=%s`, the value is not inserted.
 */
function withParameters(template: string, parameters: unknown): string {
  if (typeof parameters !== "object" || parameters === null) return template;
  const given = new Map(Object.entries(parameters).slice(0, PARAMETERS_MAX));
  const values: string[] = [];
  let next = 0;
  const marked = template.replace(kindOf(template), (placeholder, name?: string) => {
    if (placeholder === "%%") return "%";
    if (URL_BYTE.test(placeholder)) return placeholder;
    const key = name || String(next++);
    if (!given.has(key)) return placeholder;
    values.push(isSecretName(key) ? FILTERED : textIn(given.get(key)));
    return `${MARK}${values.length - 1}${MARK}`;
  });
  return withoutSecrets(marked).replace(MARKED, (mark, at) => values[Number(at)] ?? mark);
}

const kindOf = (template: string): RegExp =>
  [...template.matchAll(PERCENT)].some(([placeholder]) => placeholder !== "%%" && !URL_BYTE.test(placeholder))
    ? PERCENT
    : BRACES;
