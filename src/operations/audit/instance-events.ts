import { counted, type EventLabels, listed } from "./event-label";

/** The descriptions of the audit events of the instance. */
export const INSTANCE_EVENTS: EventLabels<
  "setting" | "flag" | "audit_trail" | "keys" | "secret" | "backup" | "data" | "storage" | "mail"
> = {
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
  "keys.withdrawn": {
    label: "Signing key withdrawn",
    sentence: ({ kid }) => `withdrew the signing key ${kid} from the JWK Set`,
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
  "backup.created": {
    label: "Backup created",
    sentence: ({ to, secret }) => `created a backup in ${to}${secret ? " with the instance secret" : ""}`,
  },
  "backup.removed": {
    label: "Older backups deleted",
    sentence: ({ from, backups }) => `deleted ${counted(backups, "older backup")} from ${from}`,
  },
  "backup.restored": {
    label: "Backup restored",
    sentence: ({ from, createdAt, version }) =>
      `restored the backup of ${createdAt} (version ${version}) from ${from}`,
  },
  "data.pruned": {
    label: "Expired data removed",
    sentence: ({ removed }) => {
      const kinds = Object.entries(removed).filter(([, count]) => count > 0);
      const counts = kinds.map(([kind, count]) => `${kind.replaceAll("_", " ")} ${count}`);
      return `removed expired data: ${counts.length === 0 ? "none" : listed(counts)}`;
    },
  },
  "storage.migrated": {
    label: "Package files copied",
    sentence: ({ to, copied, present, failed }) =>
      `copied ${counted(copied, "package file")} to ${to === "s3" ? "the bucket" : "the data folder"} (already present: ${present}, failed: ${failed})`,
  },
  "mail.shown": {
    label: "Unsent e-mail displayed",
    sentence: ({ mailId, kind, recipient }) => `displayed e-mail ${mailId} (${kind}) to ${recipient}`,
  },
};

const newValue = (value: boolean | number | string | null | undefined): string => {
  if (value === undefined) return "";
  return value === null ? " back to its default" : ` to ${value}`;
};
