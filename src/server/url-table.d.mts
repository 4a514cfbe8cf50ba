type Move = Readonly<{ from: string; to: string }>;

export const REWRITES: readonly Move[];
export const GIT_ADDRESS: Readonly<{
  pattern: RegExp;
  prefix: string;
  source: string;
  destination: string;
}>;
export const UPLOAD_ADDRESS: RegExp;
export const REDIRECTS: readonly Move[];
export const RESPONSE_HEADERS: readonly Readonly<{
  below: string;
  headers: Readonly<Record<string, string>>;
}>[];
