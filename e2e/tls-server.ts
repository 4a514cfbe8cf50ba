// @peculiar/x509 requires the polyfill `reflect-metadata`, which must be loaded first.
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import type { LoopbackServer } from "./loopback.ts";

/** A certificate for 127.0.0.1 with its private key, both in PEM. */
export type Certificate = Readonly<{ cert: string; key: string }>;

/** Creates a self-signed certificate for 127.0.0.1. */
export async function createCertificate(): Promise<Certificate> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: "CN=127.0.0.1",
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new BasicConstraintsExtension(true),
        new SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }]),
      ],
    },
    webcrypto as Crypto,
  );
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return {
    cert: certificate.toString("pem"),
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
  };
}

/** Listens on a free loopback port with TLS and calls `answer` for each request. */
export async function listenWithTls(
  certificate: Certificate,
  answer: RequestListener,
): Promise<LoopbackServer> {
  const server = createServer(certificate, answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  return {
    origin: `https://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
