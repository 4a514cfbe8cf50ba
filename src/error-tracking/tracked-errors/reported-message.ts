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
  // The secrets are replaced after the parameters are inserted. A replaced placeholder would otherwise move its
  // value to the next placeholder.
  return { template, message: formatted || plain || textIn(withParameters(sent, entry["params"])) };
}

const textIn = (value: unknown): string => withoutSecrets(text(value, LENGTH_MAX));

/** A placeholder of Python, C or JavaScript, such as `%s`, `%(name)s` and `%.2f`, or the escaped percent sign. */
const PERCENT = /%%|%(?:\((\w+)\))?[-+0#]*\d*(?:\.\d+)?[a-zA-Z]/g;
/** A placeholder of Python, .NET or Java, such as `{}`, `{0}`, `{name}` and `{:.2f}`. */
const BRACES = /\{(\w*)(?:![a-z])?(?::[^{}]*)?\}/g;

/**
 * Returns the template with the values of its parameters. A template has placeholders of one kind. A
 * placeholder without a value stays as it is.
 */
function withParameters(template: string, parameters: unknown): string {
  if (typeof parameters !== "object" || parameters === null) return template;
  const values = new Map(Object.entries(parameters).slice(0, PARAMETERS_MAX));
  const parameter = (name: string): string | null => {
    if (!values.has(name)) return null;
    return isSecretName(name) ? FILTERED : textIn(values.get(name));
  };
  let next = 0;
  const kind = template.search(PERCENT) === -1 ? BRACES : PERCENT;
  return template.replace(kind, (placeholder, name?: string) =>
    placeholder === "%%" ? "%" : (parameter(name || String(next++)) ?? placeholder),
  );
}
