import { Initials } from "@/ui/badge";

type Props = Readonly<{
  application: Readonly<{ name: string; logo: string | null }>;
  size?: "small" | "large";
}>;

/**
 * Shows the logo of an application, which this instance serves, or the initials of the application. The
 * picture is decorative, because the name is shown next to it.
 */
export function ApplicationMark({ application, size = "large" }: Props) {
  const { name, logo } = application;
  if (logo === null) return <Initials name={name} tone={size === "large" ? "strong" : "soft"} />;
  const [pixels, looks] = size === "large" ? [48, "size-12 rounded-group"] : [28, "size-7 rounded-md"];
  return (
    // biome-ignore lint/performance/noImgElement: the picture is already small, and Next would serve it from another URL.
    <img
      src={logo}
      alt=""
      width={pixels}
      height={pixels}
      className={`shrink-0 border border-line bg-white object-contain ${looks}`}
    />
  );
}
