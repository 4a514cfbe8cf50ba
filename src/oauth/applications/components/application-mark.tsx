import { Initials } from "@/ui/badge";

type Props = Readonly<{
  application: Readonly<{ name: string; logo: string | null }>;
  size?: "small" | "large";
}>;

/** The logo of an application, from our own address; its initials where it has none. Its name stands beside it. */
export function ApplicationMark({ application, size = "large" }: Props) {
  const { name, logo } = application;
  if (logo === null) return <Initials name={name} tone={size === "large" ? "strong" : "soft"} />;
  const [pixels, looks] = size === "large" ? [48, "size-12 rounded-group"] : [28, "size-7 rounded-md"];
  return (
    // biome-ignore lint/performance/noImgElement: it is small already, and Next would serve it from another address.
    <img
      src={logo}
      alt=""
      width={pixels}
      height={pixels}
      className={`shrink-0 border border-line bg-white object-contain ${looks}`}
    />
  );
}
