import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";

type Head = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Headers by their names in lower case. */
export type CommonHeaders = Readonly<Record<string, string>>;

/**
 * A response with headers that it has unless its sender sets them. They are merged into the head when it is written, as a
 * list: `setHeader` for each of them, or a merged object, takes longer.
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
