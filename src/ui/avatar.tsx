const SIZES = {
  tiny: { pixels: 20, box: "size-5 text-[9px]", corner: "rounded" },
  small: { pixels: 28, box: "size-7 text-micro", corner: "rounded-md" },
  normal: { pixels: 40, box: "size-10 text-base", corner: "rounded-control" },
  large: { pixels: 48, box: "size-12 text-lead", corner: "rounded-group" },
  huge: { pixels: 96, box: "size-24 text-display", corner: "rounded-card" },
} as const satisfies Record<string, { pixels: number; box: string; corner: string }>;

/** The number of colors that the stylesheet defines for avatars with initials. */
const COLORS = 12;

export type AvatarSize = keyof typeof SIZES;
type Props = Readonly<{
  name: string;
  /**
   * A user has a round avatar. The avatar of an application has the inverse colors of the avatar of a user.
   */
  kind: "user" | "group" | "application";
  /** The URL of a picture on this instance; null or omitted to show initials. */
  picture?: string | null | undefined;
  /**
   * The text that determines the color of the avatar. By default, the name determines the color. If the
   * name can change, the caller passes a text that does not change, so that the avatar keeps its color.
   */
  seed?: string;
  size?: AvatarSize;
}>;

/**
 * Shows the picture of a user, a group or an application, or initials in one of twelve colors. The avatar is decorative,
 * because the name is shown next to it.
 */
export function Avatar({ name, kind, picture = null, seed = name, size = "small" }: Props) {
  const { pixels, box, corner } = SIZES[size];
  const shape = `shrink-0 ${box} ${kind === "user" ? "rounded-full" : corner}`;
  if (picture === null)
    return (
      <span
        aria-hidden="true"
        className={`grid select-none place-items-center font-semibold avatar-${colorOf(seed)} ${
          kind === "application" ? "bg-tone text-panel" : "bg-tint text-tone"
        } ${shape}`}
      >
        {initialsOf(name)}
      </span>
    );
  return (
    // biome-ignore lint/performance/noImgElement: the picture is small, and Next would serve another URL.
    <img
      src={picture}
      alt=""
      width={pixels}
      height={pixels}
      className={`border border-line bg-white ${kind === "user" ? "object-cover" : "object-contain"} ${shape}`}
    />
  );
}

/** Returns the first letters of the first two words of a name in upper case. */
export const initialsOf = (name: string): string =>
  name
    .split(/[\s_.-]+/)
    .flatMap((word) => [...word.toUpperCase()].find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? [])
    .slice(0, 2)
    .join("");

/** Returns a number below twelve that is the same for equal texts (32-bit FNV-1a). */
export function colorOf(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return (state >>> 0) % COLORS;
}
