import type { FuzzedRequest } from "./request.ts";
import { requestOf } from "./send.ts";

/**
 * Returns a `curl` command for `bash` that sends the request to the server of the tests. The reader must
 * replace names in braces, such as `{access_token}`, with valid values.
 */
export async function asCurl(fuzzed: FuzzedRequest): Promise<string> {
  const request = requestOf(fuzzed, {});
  const headers = [...request.headers].map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const body = Buffer.from(await request.arrayBuffer());
  const curl = ["curl -sSi", `-X ${request.method}`, ...headers, quoted(request.url)];
  // The body goes through a pipe, because an argument cannot contain a zero byte.
  return body.length === 0
    ? curl.join(" ")
    : `printf ${quoted(printfOf(body))} | ${curl.join(" ")} --data-binary @-`;
}

const quoted = (text: string): string =>
  `$'${text.replace(/[^\x20-\x26\x28-\x5b\x5d-\x7e]/g, (sign) => [...Buffer.from(sign, "latin1")].map(hex).join(""))}'`;

const hex = (byte: number): string => `\\x${byte.toString(16).padStart(2, "0")}`;

/** Returns the format string with which `printf` writes the given bytes. */
const printfOf = (body: Buffer): string =>
  [...body]
    .map((byte) => {
      const sign = String.fromCharCode(byte);
      if (sign === "%") return "%%";
      return /[\x20-\x7e]/.test(sign) && sign !== "\\" ? sign : `\\${byte.toString(8).padStart(3, "0")}`;
    })
    .join("");
