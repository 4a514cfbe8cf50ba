import { FILTERED, isSecretName, withoutSecrets } from "./secrets";
import { record, text } from "./untrusted";

const LENGTH_MAX = 1000;
const PARAMETERS_MAX = 50;

/**
 * Parses the message of an event. SDKs send a text, a template with its parameters (`logentry`, and `message` in
 * earlier versions), or only the formatted message.
 * @returns the message template without the values of its parameters, which is the same for all events that one log
 * statement reports, and the message with the values. Both are empty if the event has no message.
 */
export function readMessage(
  event: Readonly<Record<string, unknown>>,
): Readonly<{ template: string; message: string }> {
  const entry = record(event["logentry"] ?? event["message"]);
  const plain = textIn(event["message"]);
  const sent = textIn(entry["message"]);
  const formatted = textIn(entry["formatted"]);
  const template = sent || plain || formatted;
  return { template, message: formatted || plain || textIn(withParameters(sent, entry["params"])) };
}

const textIn = (value: unknown): string => withoutSecrets(text(value, LENGTH_MAX));

/** A placeholder of Python (`%s`, `%(name)s`, `{name}`), of JavaScript (`%s`, `%d`) or of .NET and Java (`{0}`, `{}`). */
const PLACEHOLDER = /%%|%(?:\((\w+)\))?[-+ 0#]*\d*(?:\.\d+)?[a-zA-Z]|\{(\w*)\}/g;

/** Returns the template with the values of its parameters. A placeholder without a value stays as it is. */
function withParameters(template: string, parameters: unknown): string {
  const parameter = valuesOf(parameters);
  let next = 0;
  return template.replace(PLACEHOLDER, (placeholder, inPercent?: string, inBraces?: string) => {
    if (placeholder === "%%") return "%";
    const name = inPercent || inBraces || String(next++);
    return parameter(name) ?? placeholder;
  });
}

/** Returns a function that returns the value of a parameter by its name or position; null for an unknown parameter. */
function valuesOf(parameters: unknown): (name: string) => string | null {
  if (typeof parameters !== "object" || parameters === null) return () => null;
  const values = new Map(Object.entries(parameters).slice(0, PARAMETERS_MAX));
  return (name) => {
    if (!values.has(name)) return null;
    return isSecretName(name) ? FILTERED : text(values.get(name), LENGTH_MAX);
  };
}
