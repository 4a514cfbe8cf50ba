import { Card } from "@/ui/card";
import type { loadTrackingSettings } from "../loaders";

type Settings = Awaited<ReturnType<typeof loadTrackingSettings>>;

const megabytes = (bytes: number): string =>
  `${(bytes / 1_000_000).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;

/** Shows how much of the event storage of a project is used. */
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
          ? "When the storage is full, the oldest events are deleted. The tracked errors and their event counts remain."
          : "This instance does not limit the event storage of projects."
      }
    >
      <p>
        {megabytes(storedBytes)} {isLimited ? `of ${megabytes(storedBytesMax)} used` : "used"}
      </p>
    </Card>
  );
}
