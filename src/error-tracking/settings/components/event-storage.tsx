import { Card } from "@/ui/card";
import type { loadTrackingSettings } from "../loaders";

type Settings = Awaited<ReturnType<typeof loadTrackingSettings>>;

const megabytes = (bytes: number): string =>
  `${(bytes / 1_000_000).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;

/** How much of the project's event storage is used. */
export function EventStorage({
  storedBytes,
  storedBytesMax,
}: Pick<Settings, "storedBytes" | "storedBytesMax">) {
  const isLimited = storedBytesMax > 0;
  return (
    <Card
      title="Event storage"
      about={
        isLimited
          ? "When the storage is full, the oldest events are removed. Errors and their counts stay."
          : "This instance does not limit the storage of a project."
      }
    >
      <p>
        {megabytes(storedBytes)} {isLimited ? `of ${megabytes(storedBytesMax)} are used.` : "are used."}
      </p>
    </Card>
  );
}
