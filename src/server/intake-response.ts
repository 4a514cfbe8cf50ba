import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";

type Head = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Header values by the lower-case name of the header. */
export type CommonHeaders = Readonly<Record<string, string>>;

/**
 * A response with common headers. A header that the sender of the response sets replaces the common header
 * with the same name. The common headers are merged into a list of headers when the head is written. Merging
 * into a list is faster than calling `setHeader` for each header, and faster than merging into an object.
 */
export class IntakeResponse<
  Incoming extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Incoming> {
  commonHeaders: readonly CommonHeaders[] = [];

  override writeHead(status: number, reason?: string | Head, headers?: Head): this {
    const text = typeof reason === "string" ? reason : undefined;
    const own = typeof reason === "string" ? headers : reason;
    if (Array.isArray(own) || this.getHeaderNames().length > 0) {
      for (const common of this.commonHeaders)
        for (const name in common) if (!this.hasHeader(name)) this.setHeader(name, common[name] ?? "");
      return super.writeHead(status, text, own);
    }
    const merged: OutgoingHttpHeader[] = [];
    for (const common of this.commonHeaders)
      for (const name in common) if (own?.[name] === undefined) merged.push(name, common[name] ?? "");
    for (const name in own) merged.push(name, own[name] ?? "");
    return super.writeHead(status, text, merged);
  }
}
