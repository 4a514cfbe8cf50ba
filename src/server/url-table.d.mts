type Move = Readonly<{ from: string; to: string }>;

export const REWRITES: readonly Move[];
export const GIT_ADDRESS: Readonly<{
  pattern: RegExp;
  prefix: string;
  rewrites: readonly Move[];
}>;
export const PROBES: RegExp;
export const GIT_REDIRECT: Move & Readonly<{ service: string }>;
export const UPLOAD_ADDRESS: RegExp;
export const REDIRECTS: readonly Move[];
export const RESPONSE_HEADERS: readonly Readonly<{
  below: string;
  headers: Readonly<Record<string, string>>;
}>[];
