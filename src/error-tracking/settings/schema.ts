import { z } from "zod";

const text = z
  .string()
  .max(10_000)
  .transform((value) => value.replaceAll("\0", "").trim())
  .catch("");

const form = z.object({
  active: z.literal("true").nullable().catch(null),
  backend: z.enum(["integrated", "external"]).catch("integrated"),
  apiUrl: text,
  projectName: text,
  token: text,
});

/** The submitted values of the settings form. A missing or malformed field is returned as an empty string. */
export type TrackingDraft = Readonly<{
  active: boolean;
  backend: "integrated" | "external";
  apiUrl: string;
  projectName: string;
}>;

/** Parses the settings form. The token is returned separately from the values that the form shows again. */
export function readTrackingForm(submitted: FormData): Readonly<{ draft: TrackingDraft; token: string }> {
  const { active, token, ...draft } = form.parse({
    active: submitted.get("active"),
    backend: submitted.get("backend"),
    apiUrl: submitted.get("api_url"),
    projectName: submitted.get("project_name"),
    token: submitted.get("token"),
  });
  return { draft: { ...draft, active: active !== null }, token };
}
