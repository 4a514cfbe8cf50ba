import { z } from "zod";

const text = z
  .string()
  .max(10_000)
  .transform((sent) => sent.replaceAll("\0", "").trim())
  .catch("");

const form = z.object({
  active: z.literal("true").nullable().catch(null),
  backend: z.enum(["integrated", "external"]).catch("integrated"),
  apiUrl: text,
  projectName: text,
  token: text,
});

/** The submitted values. Missing and malformed fields are empty. */
export type TrackingDraft = Readonly<{
  active: boolean;
  backend: "integrated" | "external";
  apiUrl: string;
  projectName: string;
}>;

/** Reads the settings form. The token is returned separately, because it is never shown again. */
export function readTrackingForm(sent: FormData): Readonly<{ draft: TrackingDraft; token: string }> {
  const { active, token, ...draft } = form.parse({
    active: sent.get("active"),
    backend: sent.get("backend"),
    apiUrl: sent.get("api_url"),
    projectName: sent.get("project_name"),
    token: sent.get("token"),
  });
  return { draft: { ...draft, active: active !== null }, token };
}
