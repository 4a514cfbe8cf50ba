import { PRODUCT_NAME } from "@/kernel/config/product";

/** The first path segments that the instance uses or may use in a later version. */
const PATH_SEGMENTS =
  `- .well-known _next admin api assets dashboard explore favicon.ico files git gatehouse.css groups
  health help jwt oauth oauth2 profile projects public robots.txt search sign_in sign_up uploads user_settings
  users v2`.split(/\s+/);

/** The names that suggest the operator of the instance, and the mailbox names of RFC 2142. */
const ROLES =
  `abuse admin administrator billing ghost gitlab hostmaster info login logout mail moderator noreply
  no-reply official operator postmaster root security staff superuser support sysadmin system webmaster`.split(
    /\s+/,
  );

/** Returns whether a top-level path belongs to the instance. */
export const isReservedPath = (path: string): boolean => PATH_SEGMENTS.includes(path.toLowerCase());

/**
 * Returns whether a username is reserved because it is a path segment or a role name. The comparison treats
 * digits as the letters that they resemble (`adm1n`), and ignores separators (`sup.port`).
 * @param instanceNames the names of this instance.
 */
export function isReservedUsername(username: string, instanceNames: readonly string[]): boolean {
  const names = [...PATH_SEGMENTS, ...ROLES, ...instanceNames];
  return names.some(
    (name) => username.toLowerCase() === name.toLowerCase() || shape(username) === shape(name),
  );
}

/**
 * Returns whether a display name imitates a reserved name with letters of other scripts, such as `Аdmin` with
 * a Cyrillic А. The result is false for a reserved name in plain letters.
 */
export const imitatesReservedName = (name: string): boolean =>
  [name, ...name.split(/[^\p{L}\p{M}\p{N}]+/u)].some(
    (word) => isDisguised(word) && DISGUISED_NAMES.has(shape(word)),
  );

/**
 * The prepositions after which the name of an application may contain "GitLab" or the name of the instance, as in
 * "Importer for GitLab".
 */
const PREPOSITIONS: ReadonlySet<string> = new Set(
  "at auf bei de en et für for from im in into mit of on para per por pour to via von with zu".split(" "),
);

/** The roles that suggest that an application belongs to the operator of the instance. */
const AUTHORITIES: readonly string[] =
  "admin administrator moderator official operator root security staff superuser support sysadmin".split(" ");

/** The words that suggest, together with the name of the instance, that an application is its sign-in page. */
const SIGN_IN_WORDS: readonly string[] = "auth login logon signin signon sso".split(" ");

/** The additional words that a combination of reserved words may contain. */
const FILLERS: readonly string[] =
  "a account app application my oauth our server service team the your".split(" ");

/**
 * Returns whether the name of an application suggests that the application belongs to the instance. The
 * result is true if the name begins with "admin", consists of reserved words, or contains the name of the
 * instance or of GitLab. The name of the instance is also recognized if reserved words are attached
 * ("GitLabLogin"). A product name after a preposition is allowed ("Importer for GitLab"), except after a
 * sign-in phrase ("Log in with GitLab"). The comparison ignores spaces and separators, and treats
 * similar-looking letters as equal.
 * @param instanceNames the names of this instance. A host name without a dot is ignored, because it can be a
 * common word.
 */
export function impersonatesInstance(name: string, instanceNames: readonly string[]): boolean {
  const ownNames = [...instanceNames.filter((own) => own.includes(".")), PRODUCT_NAME, "GitLab"];
  const products = new Set(ownNames.map(shape));
  const authorities = new Set([...products, ...AUTHORITIES.map(shape)]);
  const reserved = new Set([...authorities, ...[...ROLES, ...FILLERS, ...SIGN_IN_WORDS].map(shape)]);
  const parts = [...reserved, "s"];
  const namesProduct = (text: string): boolean =>
    [...products].some((product) => text.includes(product)) && consistsOf(text, parts);
  const words = name.split(/[^\p{L}\p{M}\p{N}|]+/u).filter((word) => shape(word) !== "");
  const shapes = words.map(shape);
  if (products.has(shape(name)) || ADMINISTRATORS.has(shapes[0] ?? "")) return true;
  if (shapes.every((word) => reserved.has(word)) && shapes.some((word) => authorities.has(word))) return true;
  const isProductAt = (at: number): boolean =>
    shapes.some((_, length) => namesProduct(shapes.slice(at, at + length + 1).join("")));
  const followsPreposition = (at: number): boolean =>
    PREPOSITIONS.has((words[at - 1] ?? "").toLowerCase()) &&
    !shapes.slice(0, at).some((word, index) => isSignIn(word, shapes[index + 1]));
  return words.some((_, at) => isProductAt(at) && !followsPreposition(at));
}

/** Returns whether a text can be split completely into the given parts. */
function consistsOf(text: string, parts: readonly string[]): boolean {
  // The loop adds offsets to the set, and also visits the added offsets.
  const offsets = new Set([0]);
  for (const offset of offsets)
    for (const part of parts) if (text.startsWith(part, offset)) offsets.add(offset + part.length);
  return offsets.has(text.length);
}

/** The letters of other scripts and small capitals, each with the Latin letter that it resembles. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  `АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЇI ЈJ ЅS ԀD ԌG ԚQ ԜW ӀI аa вb еe ёe кk мm нh оo рp сc тt уy хx іi їi јj ѕs ԁd һh
   ԛq ԝw ӏl пn иu гr ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa βb εe ηn ιi κk νv οo ρp τt υu χx ωw γy
   օo սu ոn հh ցg յj ᎪA ᎠD ᎬE ᎷM ᏢP ᎡR ᏚS ᎢT ᏞL ıi ɑa ɡg ʀr ᴀa ᴄc ᴅd ᴇe ɢg ʜh ɪi ᴋk ʟl ᴍm ɴn ᴏo ᴘp ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ʙb`
    .split(/\s+/)
    .map((pair) => {
      const [disguise = "", letter = ""] = pair;
      return [disguise, letter.toLowerCase()];
    }),
);

/**
 * Returns the skeleton of a text: plain lowercase letters without separators and diacritical marks. Texts
 * that look alike have the same skeleton.
 */
const shape = (text: string): string =>
  [...text.normalize("NFKD").replace(/\p{M}/gu, "")]
    .map((character) => LOOK_ALIKES.get(character) ?? character)
    .join("")
    .toLowerCase()
    .replaceAll("0", "o")
    .replace(/[1i|]/g, "l")
    .replace(/[^\p{L}\p{N}]/gu, "");

function isDisguised(word: string): boolean {
  if (word.normalize("NFKC") !== word.normalize("NFC")) return true;
  const disguises = [...word].filter((character) => LOOK_ALIKES.has(character));
  const isLatin = (text: string): boolean => /\p{Script=Latin}/u.test(text);
  return disguises.some(isLatin) || (disguises.length > 0 && isLatin(word));
}

const ADMINISTRATORS: ReadonlySet<string> = new Set(["admin", "administrator"].map(shape));

const SIGN_IN_NOUNS: ReadonlySet<string> = new Set("login logon signin signon".split(" ").map(shape));
const SIGN_IN_VERBS: ReadonlySet<string> = new Set("log sign".split(" ").map(shape));
const SIGN_IN_PARTICLES: ReadonlySet<string> = new Set("in into on onto up".split(" ").map(shape));

/**
 * Returns whether a word, alone or together with the next word, is a sign-in phrase such as "login" or "sign
 * in".
 */
const isSignIn = (word: string, next = ""): boolean =>
  SIGN_IN_NOUNS.has(word) || (SIGN_IN_VERBS.has(word) && SIGN_IN_PARTICLES.has(next));

const DISGUISED_NAMES: ReadonlySet<string> = new Set([...PATH_SEGMENTS, ...ROLES, PRODUCT_NAME].map(shape));
