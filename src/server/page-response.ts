import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { contentSecurityPolicy } from "@/kernel/http/content-security-policy.ts";
import { FLASH_HEADER } from "@/kernel/http/cookie.ts";
import { REDIRECTS } from "./url-table.mjs";

/** The request header in which Next reads the nonce of its scripts. */
const POLICY = "content-security-policy";

/** The paths for which `proxy.ts` runs. Next requires that `proxy.ts` contains the pattern as a literal. */
export const PROXY_PATHS =
  "/((?!(?:-|admin/audit_events/export|user_settings/export|api|git|jwt|_next|\\.well-known|users/(?:session|theme|recovery_codes|sign_in|sign_up|two_factor|confirm|confirmation|invitation|keep_account|password|auth|link_account)|oauth/(?:token|par|register|authorize|consent|authorize_device|revoke|introspect|userinfo|discovery|end_session|device))(?:/|$)|.*\\.git(?:/|$)|projects/[^/]+/raw/?$|uploads/-/system/user/avatar/[^/]+/[^/]+/?$|gatehouse\\.css$|favicon\\.ico$).*)";
const IS_PROXY_PATH = new RegExp(`^${PROXY_PATHS}$`);

/** Matches the paths of static files, which browsers cache. */
const IS_FILE = /\.\w+$/;

/** Returns whether Next redirects a path before Next runs `proxy.ts`. */
const isRedirected = (path: string): boolean => REDIRECTS.some(({ from }) => path.startsWith(from));

/** A fast compression level, because pages are compressed at each request. */
const GZIP_LEVEL = 4;

/** Removes the request headers that only the server and `proxy.ts` may set. */
export function removePageHeaders({ headers }: IncomingMessage): void {
  delete headers[POLICY];
  delete headers[FLASH_HEADER];
}

/**
 * Prepares the response to a request for a page: sets its content security policy, so that `proxy.ts` need
 * not run, and sends the whole page with one write.
 * @param path the path of the request, without its query.
 */
export function preparePage(incoming: IncomingMessage, outgoing: ServerResponse, path: string): void {
  removePageHeaders(incoming);
  if (!IS_PROXY_PATH.test(path) || IS_FILE.test(path) || isRedirected(path)) return;
  if (incoming.method !== "HEAD") sendAtOnce(incoming, outgoing);
  // If the request has a flash message, `proxy.ts` prepares the page.
  if (incoming.headers.cookie?.includes("gatehouse_flash=")) return;
  const policy = contentSecurityPolicy({ nonce: randomBytes(16).toString("base64") });
  incoming.headers[POLICY] = policy;
  outgoing.setHeader(POLICY, policy);
  outgoing.setHeader("cache-control", "no-store");
}

/**
 * Collects the parts of a page, and sends them with the end of the page. Next sends the head and each part of a page
 * separately, and compresses each part separately.
 */
function sendAtOnce({ headers }: IncomingMessage, outgoing: ServerResponse): void {
  const packs = /\bgzip\b/.test(String(headers["accept-encoding"] ?? ""));
  delete headers["accept-encoding"];
  const { write, end, flushHeaders } = outgoing;
  const parts: Buffer[] = [];
  const isPage = (): boolean =>
    parts.length > 0 ||
    (!outgoing.headersSent &&
      /^text\/(?:html|x-component)\b/.test(String(outgoing.getHeader("content-type"))));

  /**
   * Collects the part of a page that a call of `write` or `end` adds, and calls the callback function of the
   * call.
   */
  function collect(args: readonly unknown[]): void {
    const [part, encoding] = args;
    if (typeof part === "string") parts.push(Buffer.from(part, encoding as BufferEncoding | undefined));
    else if (part instanceof Uint8Array) parts.push(Buffer.from(part));
    const callback = args.find((argument) => typeof argument === "function");
    if (callback !== undefined) process.nextTick(callback as () => void);
  }

  Object.assign(outgoing, {
    flushHeaders: () => {
      if (!isPage()) flushHeaders.call(outgoing);
    },
    write: (...args: Parameters<typeof write>) => {
      if (!isPage()) return write.apply(outgoing, args);
      collect(args);
      return true;
    },
    end: (...args: Parameters<typeof end>) => {
      if (!isPage()) return end.apply(outgoing, args);
      collect(args);
      Object.assign(outgoing, { write, end, flushHeaders });
      const whole = Buffer.concat(parts);
      if (outgoing.headersSent) return outgoing.end(whole);
      const body = packs ? gzipSync(whole, { level: GZIP_LEVEL }) : whole;
      if (!/accept-encoding/i.test(String(outgoing.getHeader("vary"))))
        outgoing.appendHeader("vary", "Accept-Encoding");
      if (packs) outgoing.setHeader("content-encoding", "gzip");
      outgoing.setHeader("content-length", body.byteLength);
      return outgoing.end(body);
    },
  });
}
