/** An error response of the token endpoint, in the format of the registry (distribution, "Errors"). */
export class RegistryRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, code: string, text: string, headers: Readonly<Record<string, string>> = {}) {
    super(text);
    this.name = "RegistryRefusal";
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const accessDenied = (): RegistryRefusal =>
  new RegistryRefusal(
    401,
    "UNAUTHORIZED",
    "HTTP Basic: Access denied. Use any username with a personal access token that has read_registry or write_registry. OAuth tokens and passwords are not accepted.",
    { "www-authenticate": 'Basic realm="Gatehouse", charset="UTF-8"' },
  );

export const forbidden = (): RegistryRefusal => new RegistryRefusal(403, "DENIED", "access forbidden");

export const notEnabled = (): RegistryRefusal =>
  new RegistryRefusal(404, "UNAVAILABLE", "registry not enabled");

export const invalidScope = (): RegistryRefusal =>
  new RegistryRefusal(400, "UNSUPPORTED", "the request is malformed or contains too many scopes");
