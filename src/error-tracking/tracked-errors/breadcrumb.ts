import { FILTERED, isSecretName, withoutSecrets } from "./secrets";
import { readTime } from "./time";
import { list, pairs, record, text } from "./untrusted";

/** A breadcrumb: an action that the program recorded before the event. */
export type Breadcrumb = Readonly<{
  /** The time in milliseconds since the Unix epoch; null if the SDK sent no time. */
  at: number | null;
  kind: string;
  level: string;
  message: string;
  data: readonly (readonly [string, string])[];
}>;

const NEWEST_KEPT = 30;
const DATA_MAX = 8;

/** Returns the newest breadcrumbs of an event, in the order from oldest to newest. */
export const readBreadcrumbs = (value: unknown): readonly Breadcrumb[] =>
  list(value)
    .slice(-NEWEST_KEPT)
    .map((crumb) => readBreadcrumb(record(crumb)));

const readBreadcrumb = (crumb: Readonly<Record<string, unknown>>): Breadcrumb => ({
  at: readTime(crumb["timestamp"])?.getTime() ?? null,
  kind: text(crumb["category"] ?? crumb["type"], 60),
  level: text(crumb["level"], 20),
  message: withoutSecrets(text(crumb["message"], 400)),
  data: pairs(crumb["data"], DATA_MAX).flatMap(([name, value]) => {
    const shown = isSecretName(name) ? FILTERED : withoutSecrets(text(value, 300));
    return shown === "" ? [] : [[text(name, 60), shown] as const];
  }),
});
