// A program that reports its errors with an unmodified SDK: `node node-program.mjs DSN`. The program prints
// the responses of the server.
import * as Sentry from "@sentry/node";

/** @type {{ types: string[], status: number | undefined }[]} */
const responses = [];
Sentry.init({
  dsn: process.argv[2],
  environment: "production",
  release: "shop@4.1.0",
  tracesSampleRate: 1,
  transport: (options) => {
    const transport = Sentry.makeNodeTransport(options);
    return {
      ...transport,
      send: async (envelope) => {
        const response = await transport.send(envelope);
        responses.push({ types: envelope[1].map(([{ type }]) => type), status: response.statusCode });
        return response;
      },
    };
  },
});

/** @param {{ number: number, items: readonly string[] }} order */
function chargeCard(order) {
  if (order.items.length === 0) throw new RangeError(`Order ${order.number} is empty`);
}

Sentry.setUser({ id: "7", username: "ann", email: ["ann", "example.com"].join("@") });
Sentry.setTag("region", "eu");
for (const number of [17, 18, 19]) {
  Sentry.addBreadcrumb({ category: "order", message: `Order ${number} began` });
  try {
    chargeCard({ number, items: [] });
  } catch (error) {
    Sentry.captureException(error);
  }
}
Sentry.captureMessage("The cart is slow", "warning");
// The event is so large that the SDK compresses the request.
Sentry.captureException(new Error("A large one"), { extra: { text: "x".repeat(60_000) } });
await Sentry.flush(60_000);
// Earlier responses of the server have told the SDK that transactions are not stored.
Sentry.startSpan({ name: "not kept", forceTransaction: true }, () => undefined);
await Sentry.flush(60_000);
await Sentry.close(60_000);
process.stdout.write(`${JSON.stringify(responses)}\n`);
