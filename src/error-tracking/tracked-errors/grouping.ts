import type { ReportedEvent, ReportedException } from "./event";
import type { Frame } from "./stack-trace";

/** How much of a stack tells one error from another: a change far outside must not make a new one. */
const FRAMES_COMPARED = 12;
const EXCEPTIONS_COMPARED = 3;

/** How many calls are looked at to find those: a stack that recurses may be all alike. */
const FRAMES_EXAMINED = 30;

/** How much of a file's name is compared: its end, which tells most. */
const FILE_LENGTH_MAX = 100;

const DEFAULT = /^\{\{\s*default\s*\}\}$/;

/**
 * What makes two events the same error: what the program says itself, in which `{{ default }}` stands for what we would
 * say; else the exceptions and where they were raised, without line numbers, for those change with every release; else
 * the message, without what differs from time to time.
 */
export function groupingOf(event: ReportedEvent): readonly string[] {
  const { fingerprint } = event;
  if (fingerprint.length === 0) return defaultGrouping(event);
  // Once, however often the program asks for it.
  const ours = fingerprint.some((part) => DEFAULT.test(part)) ? defaultGrouping(event) : [];
  return fingerprint.flatMap((part) => (DEFAULT.test(part) ? ours : [part]));
}

function defaultGrouping({ payload, template }: ReportedEvent): readonly string[] {
  const { exceptions, transaction, logger } = payload;
  if (exceptions.length > 0) {
    const names: FileNames = new Map();
    const raised = exceptions.slice(-EXCEPTIONS_COMPARED);
    return ["exception", ...raised.flatMap((exception) => exceptionGrouping(exception, names))];
  }
  if (template !== "") return ["message", logger, withoutVariableParts(template)];
  return ["place", transaction, logger];
}

/** What the files of an event are called, so that each is read once, however many calls are in it. */
type FileNames = Map<string, string>;

function exceptionGrouping(
  { type, module, value, frames }: ReportedException,
  names: FileNames,
): readonly string[] {
  const places = placesOf(frames, names);
  return [type, module, ...(places.length > 0 ? places : [withoutVariableParts(value)])];
}

/** The innermost calls of the program itself, or of anybody where there are none; one that recurses counts once. */
function placesOf(frames: readonly Frame[], names: FileNames): readonly string[] {
  const own = frames.filter(({ inApp }) => inApp);
  const places: string[] = [];
  for (const frame of (own.length > 0 ? own : frames).slice(-FRAMES_EXAMINED).toReversed()) {
    const place = placeOf(frame, names);
    if (place !== "" && place !== places.at(-1)) places.push(place);
    if (places.length === FRAMES_COMPARED) break;
  }
  return places;
}

function placeOf({ module, file, function: name }: Frame, names: FileNames): string {
  const where = module === "" ? fileName(file, names) : module;
  // What a compiler calls a function without a name changes from build to build.
  const what = /^(?:<?anonymous>?|\?|<lambda>)$/.test(name) ? "?" : name.replace(/\d+/g, "0");
  return where === "" && what === "" ? "" : `${where} ${what}`;
}

function fileName(file: string, names: FileNames): string {
  const cached = names.get(file);
  if (cached !== undefined) return cached;
  const name = withoutBuild(file);
  names.set(file, name);
  return name;
}

/** The end of a file's path, without its query and without the digest that a bundler puts into its name. */
function withoutBuild(file: string): string {
  const [path = ""] = file.split(/[?#]/, 1);
  return withoutDigest(path.replace(/^[a-z]+:\/\/[^/]+/i, "").slice(-FILE_LENGTH_MAX));
}

/**
 * `index-BX3k9f2a.js` as `index-*.js`: a digest stands before the extension and after a dot or a dash, is made of word
 * characters and dashes, has a digit and is not short. By steps that each read the name once: one expression for all of
 * it would begin anew at every dash, and what a stranger sends may be nothing but dashes.
 */
function withoutDigest(path: string): string {
  const dot = path.lastIndexOf(".");
  if (dot === -1 || !/^\w+$/.test(path.slice(dot + 1))) return path;
  const stem = path.slice(0, dot);
  const word = stem.split(/[^\w-]/).at(-1) ?? "";
  const followsDot = stem.at(-word.length - 1) === ".";
  const digest = followsDot ? word : word.slice(word.indexOf("-") + 1);
  const isDigest = (followsDot || digest !== word) && digest.length >= 6 && /\d/.test(digest);
  return isDigest ? `${stem.slice(0, -digest.length)}*${path.slice(dot)}` : path;
}

const VARIABLE_PARTS: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, "<uuid>"],
  [/\b0x[0-9a-f]+\b/gi, "<hex>"],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b/gi, "<hex>"],
  // Only where a word begins: else it would be tried at each character of a long one.
  [/(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+/g, "<address>"],
  [/\d+(?:[.:,]\d+)*/g, "<n>"],
];

/** A text without numbers, identifiers and addresses: what is left is the same the next time. */
export function withoutVariableParts(text: string): string {
  let general = text.slice(0, 300);
  for (const [pattern, name] of VARIABLE_PARTS) general = general.replace(pattern, name);
  return general;
}
