// A server that responds to each request with status 200 and the headers and body of its JSON argument, to
// measure the minimum cost of a request with node:http. Listens on `PORT`.
import { createServer } from "node:http";

const { headers, body } = /** @type {{ headers: Record<string, string>, body: string }} */ (
  JSON.parse(process.argv[2] ?? "")
);

createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
}).listen(Number(process.env["PORT"]), "127.0.0.1");
