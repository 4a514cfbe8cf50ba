/** Types of the part of express that the tests use. The package express contains no types. */
declare module "express" {
  import type { IncomingMessage, Server, ServerResponse } from "node:http";

  export interface Request extends IncomingMessage, Express.Request {}
  export interface Response extends ServerResponse, Express.Response {
    send(body: string): void;
    json(body: object): void;
  }
  export type RequestHandler = (request: Request, response: Response, next: () => void) => unknown;

  type Application = Readonly<{
    use: (handler: RequestHandler) => void;
    get: (path: string, ...handlers: readonly RequestHandler[]) => void;
    listen: (port: number, hostname: string) => Server;
  }>;
  export default function express(): Application;
}
