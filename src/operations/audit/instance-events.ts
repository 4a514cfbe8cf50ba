import { counted, type EventLabels, listed } from "./event-label";

/** The descriptions of the audit events of the instance. */
export const INSTANCE_EVENTS: EventLabels<"setting" | "flag" | "audit_trail" | "keys" | "secret"> = {
  "setting.changed": {
    label: "Setting changed",
    sentence: ({ keys, to = {} }) => listed(keys.map((key) => `set ${key}${newValue(to[key])}`)),
  },
  "flag.changed": {
    label: "Feature flag changed",
    sentence: ({ name, enabled }) =>
      enabled === null ? `reset ${name} to its default` : `switched ${name} ${enabled ? "on" : "off"}`,
  },
  "audit_trail.chained": {
    label: "Older events chained",
    sentence: ({ events }) => `added ${counted(events, "older event")} to the hash chain of the audit trail`,
  },
  "keys.rotated": {
    label: "Signing keys rotated",
    sentence: ({ kid }) => `rotated the signing keys to ${kid}`,
  },
  "secret.rotation_started": {
    label: "Instance secret rotation started",
    sentence: () => "started a rotation of the instance secret",
  },
  "secret.switched": {
    label: "Instance secret replaced",
    sentence: () => "replaced the secret that encrypts stored values",
  },
  "secret.retired": {
    label: "Previous instance secret retired",
    sentence: () => "retired the previous instance secret",
  },
};

const newValue = (value: boolean | number | string | null | undefined): string => {
  if (value === undefined) return "";
  return value === null ? " back to its default" : ` to ${value}`;
};
