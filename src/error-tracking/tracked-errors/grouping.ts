import type { ReportedEvent, ReportedException } from "./event";
import type { Frame } from "./stack-trace";

/**
 * The maximum number of innermost stack frames in a grouping key. Outer stack frames are omitted, because a
 * change in an outer stack frame must not create a new tracked error.
 */
const FRAMES_COMPARED = 12;
const EXCEPTIONS_COMPARED = 3;

/**
 * The maximum number of stack frames that are examined. The limit is needed because all stack frames of a
 * recursion may be equal.
 */
const FRAMES_EXAMINED = 30;

/**
 * The maximum number of characters that the grouping key contains from the end of a file path. The end of a
 * path is its most specific part.
 */
const FILE_LENGTH_MAX = 100;

const DEFAULT = /^\{\{\s*default\s*\}\}$/;

/**
 * Returns the grouping key of an event. Events with equal grouping keys belong to the same tracked error. If
 * the program set a fingerprint, the fingerprint is the grouping key. In a fingerprint, `{{ default }}` means
 * the default grouping key. The default grouping key consists of the exceptions and their stack frames,
 * without line numbers, because line numbers change with every release. For an event without exceptions, the
 * default grouping key is the message without its variable parts.
 */
export function groupingOf(event: ReportedEvent): readonly string[] {
  const { fingerprint } = event;
  if (fingerprint.length === 0) return defaultGrouping(event);
  // The default grouping key is computed once, even if the fingerprint contains the placeholder several
  // times.
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

/** A cache of normalized file names, so that each file of an event is normalized once. */
type FileNames = Map<string, string>;

function exceptionGrouping(
  { type, module, value, frames }: ReportedException,
  names: FileNames,
): readonly string[] {
  const locations = placesOf(frames, names);
  // If no stack frame has a function name, only the message can distinguish errors in the same file.
  const message = locations.every(isAnonymous) ? [withoutVariableParts(value)] : [];
  return [type, module, ...message, ...locations];
}

/** Returns whether a location is in module-level code or in an anonymous function. */
const isAnonymous = (location: string): boolean =>
  /(?:^| )(?:\?|<module>|(?:Object|Module)\.<anonymous>|\/?<\w+>)?$/.test(location);

/**
 * Returns the innermost stack frames of the application, or those of libraries if no stack frame belongs to
 * the application. Repeated stack frames of a recursion count once.
 */
function placesOf(frames: readonly Frame[], names: FileNames): readonly string[] {
  const own = frames.filter(({ inApp }) => inApp);
  const locations: string[] = [];
  for (const frame of (own.length > 0 ? own : frames).slice(-FRAMES_EXAMINED).toReversed()) {
    const location = placeOf(frame, names);
    if (location !== "" && location !== locations.at(-1)) locations.push(location);
    if (locations.length === FRAMES_COMPARED) break;
  }
  return locations;
}

function placeOf({ module, file, function: name }: Frame, names: FileNames): string {
  const where = module === "" ? fileName(file, names) : module;
  // Matches the name that a compiler assigns to an anonymous function. This name changes from build to build.
  const functionName = /^(?:<?anonymous>?|\?|<lambda>)$/.test(name) ? "?" : name.replace(/\d+/g, "0");
  return where === "" && functionName === "" ? "" : `${where} ${functionName}`;
}

function fileName(file: string, names: FileNames): string {
  const cached = names.get(file);
  if (cached !== undefined) return cached;
  const name = withoutBuild(file);
  names.set(file, name);
  return name;
}

/**
 * Returns the end of a file path, without the query and without the content hash that a bundler adds to the
 * file name.
 */
function withoutBuild(file: string): string {
  const [path = ""] = file.split(/[?#]/, 1);
  return withoutDigest(path.replace(/^[a-z]+:\/\/[^/]+/i, "").slice(-FILE_LENGTH_MAX));
}

/**
 * Replaces the content hash in a file name: `index-BX3k9f2a.js` becomes `index-*.js`. A content hash follows
 * a dot or a dash and precedes the extension. The hash consists of word characters and dashes, and has at
 * least six characters and one digit. The function does not use a single regular expression, because such an
 * expression would backtrack at every dash. An untrusted name may consist entirely of dashes.
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
  // The regular expression for e-mail addresses matches only at the start of a word. If it could match at any
  // character, long words would take quadratic time.
  [/(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+/g, "<address>"],
  [/\d+(?:[.:,]\d+)*/g, "<n>"],
];

/**
 * Replaces numbers, identifiers and e-mail addresses in a text by placeholders, so that similar messages
 * become equal.
 */
export function withoutVariableParts(text: string): string {
  let general = text.slice(0, 300);
  for (const [pattern, name] of VARIABLE_PARTS) general = general.replace(pattern, name);
  return general;
}
