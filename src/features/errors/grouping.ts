import type { ReportedEvent, ReportedException } from "./event";
import type { Frame } from "./stack-trace";

/** How much of a stack tells one error from another: a change far outside must not make a new one. */
const FRAMES_COMPARED = 12;
const EXCEPTIONS_COMPARED = 3;

const DEFAULT = /^\{\{\s*default\s*\}\}$/;

/**
 * What makes two events the same error: what the program says itself, in which `{{ default }}` stands for what we would
 * say; else the exceptions and where they were raised, without line numbers, for those change with every release; else
 * the message, without what differs from time to time.
 */
export function groupingOf(event: ReportedEvent): readonly string[] {
  const { fingerprint } = event;
  if (fingerprint.length === 0) return defaultGrouping(event);
  return fingerprint.flatMap((part) => (DEFAULT.test(part) ? defaultGrouping(event) : [part]));
}

function defaultGrouping({ payload, template }: ReportedEvent): readonly string[] {
  const { exceptions, transaction, logger } = payload;
  if (exceptions.length > 0)
    return ["exception", ...exceptions.slice(-EXCEPTIONS_COMPARED).flatMap(exceptionGrouping)];
  if (template !== "") return ["message", logger, withoutParticulars(template)];
  return ["place", transaction, logger];
}

function exceptionGrouping({ type, module, value, frames }: ReportedException): readonly string[] {
  const places = placesOf(frames);
  return [type, module, ...(places.length > 0 ? places : [withoutParticulars(value)])];
}

/** The innermost calls of the program itself, or of anybody where there are none; one that recurses counts once. */
function placesOf(frames: readonly Frame[]): readonly string[] {
  const own = frames.filter(({ inApp }) => inApp);
  const places: string[] = [];
  for (const frame of (own.length > 0 ? own : frames).toReversed()) {
    const place = placeOf(frame);
    if (place !== "" && place !== places.at(-1)) places.push(place);
    if (places.length === FRAMES_COMPARED) break;
  }
  return places;
}

function placeOf({ module, file, function: name }: Frame): string {
  const where = module === "" ? withoutBuild(file) : module;
  // What a compiler calls a function without a name changes from build to build.
  const what = /^(?:<?anonymous>?|\?|<lambda>)$/.test(name) ? "?" : name.replace(/\d+/g, "0");
  return where === "" && what === "" ? "" : `${where} ${what}`;
}

/** A file without its query and without the digest that a bundler puts into its name. */
const withoutBuild = (file: string): string =>
  file
    .replace(/[?#].*$/, "")
    .replace(/^[a-z]+:\/\/[^/]+/i, "")
    .replace(/([.-])(?=[\w-]*\d)[\w-]{6,}(?=\.\w+$)/, "$1*");

const PARTICULARS: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, "<uuid>"],
  [/\b0x[0-9a-f]+\b/gi, "<hex>"],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b/gi, "<hex>"],
  [/[\w.+-]+@[\w-]+\.[\w.-]+/g, "<address>"],
  [/\d+(?:[.:,]\d+)*/g, "<n>"],
];

/** A text without numbers, identifiers and addresses: what is left is the same the next time. */
export function withoutParticulars(text: string): string {
  let general = text.slice(0, 300);
  for (const [particular, name] of PARTICULARS) general = general.replace(particular, name);
  return general;
}
