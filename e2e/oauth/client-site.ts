import { text } from "node:stream/consumers";
import { listenOnLoopback } from "../loopback.ts";

/** A request to a client's redirect URI. */
export type Received = Readonly<{
  method: string;
  url: URL;
  form: URLSearchParams;
  origin: string | undefined;
  referrer: string | undefined;
}>;

/** The web site of a client on a loopback port. The site records the requests to its redirect URI. */
export type ClientSite = Readonly<{
  redirectUri: string;
  /** Returns the recorded requests to the redirect URI, oldest first, and clears the record. */
  received: () => readonly Received[];
  close: () => Promise<void>;
}>;

export async function openClientSite(): Promise<ClientSite> {
  let arrived: Received[] = [];
  const { origin, close } = await listenOnLoopback(async (request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const form = new URLSearchParams(await text(request));
    const { origin, referer: referrer } = request.headers;
    if (url.pathname === "/callback")
      arrived.push({ method: request.method ?? "", url, form, origin, referrer });
    response
      .setHeader("content-type", "text/html")
      .end("<title>The client</title><h1>Back at the client</h1>");
  });
  return {
    redirectUri: `${origin}/callback`,
    received: () => {
      const taken = arrived;
      arrived = [];
      return taken;
    },
    close,
  };
}
