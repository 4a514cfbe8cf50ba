import { PRODUCT_NAME } from "@/kernel/config/product";

/** The first path segments that the instance uses or may use in a later version. */
const PATH_SEGMENTS =
  `- .well-known _next admin api assets dashboard explore favicon.ico files git gatehouse.css groups
  health help jwt oauth oauth2 profile projects public robots.txt search sign_in sign_up user_settings users v2`.split(
    /\s+/,
  );

/** The names that suggest the operator of the instance, and the mailbox names of RFC 2142. */
const ROLES =
  `abuse admin administrator billing ghost gitlab hostmaster info login logout mail moderator noreply
  no-reply official operator postmaster root security staff superuser support sysadmin system webmaster`.split(
    /\s+/,
  );

/** Returns whether a top-level path belongs to the instance. */
export const isReservedPath = (path: string): boolean => PATH_SEGMENTS.includes(path.toLowerCase());

/**
 * Returns whether a username is reserved because it is a path segment or a role name. The comparison
 * recognizes digits in place of letters (`adm1n`) and ignores separators (`sup.port`).
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
 * a Cyrillic А. A reserved name in plain letters is allowed.
 */
export const imitatesReservedName = (name: string): boolean =>
  [name, ...name.split(/[^\p{L}\p{M}\p{N}]+/u)].some(
    (word) => isDisguised(word) && DISGUISED_NAMES.has(shape(word)),
  );

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
 * Returns the skeleton of a text: plain lowercase letters without separators and marks. Texts that look alike
 * have the same skeleton.
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

const DISGUISED_NAMES: ReadonlySet<string> = new Set([...PATH_SEGMENTS, ...ROLES, PRODUCT_NAME].map(shape));
