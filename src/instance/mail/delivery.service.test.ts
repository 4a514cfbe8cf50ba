import { createServer } from "node:net";
import type { SMTPServerOptions } from "smtp-server";
import { describe, expect, it } from "vitest";
import type { MailConfig } from "@/kernel/config/config.ts";
import type { Deps } from "@/kernel/deps/deps.ts";
import { prune } from "@/operations/pruning/service.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { afterThisFile } from "@/testing/release.ts";
import { linkIn, startMailServer } from "@/testing/smtp.ts";
import { deliverDue } from "./delivery.ts";
import { listMessages, type NewMail, sendMail } from "./service.ts";
import { openTransport } from "./smtp.ts";

const base = await openTestDeps();
const FROM: MailConfig["from"] = { name: "Gatehouse", address: "id@example.com" };
const SECRET_LINK = "http://localhost:3000/users/password/edit?reset_password_token=ghpr_secret";

const withServer = (url: string): Deps => ({
  ...base,
  config: { ...base.config, mail: { url, from: FROM } },
});

async function deliverWith(deps: Deps): Promise<string> {
  if (deps.config.mail === null) throw new Error("The instance has no mail server.");
  const transport = await openTransport(deps.config.mail);
  try {
    return await deliverDue(deps, transport);
  } finally {
    transport.close();
  }
}

const sendTo = (deps: Deps, to: string, more: Partial<NewMail> = {}) =>
  sendMail(deps, {
    kind: "password_reset",
    to,
    userId: null,
    subject: "Reset your password",
    content: {
      recipientName: "Ann",
      paragraphs: ["Somebody asked for a new password."],
      action: { label: "Choose a new password", url: SECRET_LINK },
    },
    ...more,
  });

const row = (id: number) => base.db.mailMessage.findUniqueOrThrow({ where: { id } });

describe("an e-mail", () => {
  it("an e-mail is sent to the mail server as plain text and HTML, and its content is deleted afterwards", async () => {
    const server = await startMailServer();
    const deps = withServer(server.url);
    const id = await sendTo(deps, "ann@example.com");
    expect(await deliverWith(deps)).toBe("delivered");
    const [mail] = server.received;
    expect(mail).toMatchObject({ from: "id@example.com", to: ["ann@example.com"] });
    expect(mail?.headers).toMatchObject({
      from: "Gatehouse <id@example.com>",
      to: "ann@example.com",
      subject: "Reset your password",
      "auto-submitted": "auto-generated",
    });
    expect(mail?.headers["list-unsubscribe"]).toBeUndefined();
    expect(mail && linkIn(mail, "reset_password_token")).toBe(SECRET_LINK);
    expect(mail?.html).toContain(`href="${SECRET_LINK}"`);
    expect(mail?.html).not.toMatch(/<img|<script|src=|url\(/);
    expect(await row(id)).toMatchObject({ state: "sent", sealedContent: null, attempts: 1, lastError: null });
    expect(await deliverWith(deps)).toBe("delivered");
    expect(server.received).toHaveLength(1);
  });

  it("an e-mail is stored without readable content, and its content never appears in the log", async () => {
    const deps = withServer("smtp://127.0.0.1:1");
    const id = await sendTo(deps, "eve@example.com");
    await deliverWith(deps);
    expect(JSON.stringify(await row(id))).not.toMatch(/ghpr_|Somebody/);
    expect(JSON.stringify(base.logged)).not.toMatch(/ghpr_|Somebody|eve@example/);
    await base.db.mailMessage.deleteMany();
  });

  it("an e-mail that is inserted in a transaction is not sent when the transaction is rolled back", async () => {
    const server = await startMailServer();
    const deps = withServer(server.url);
    const failed = deps.transaction(async (within) => {
      await sendTo(within, "ann@example.com");
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    await deliverWith(deps);
    expect(server.received).toEqual([]);
  });

  it("an e-mail is sent only once when several senders run simultaneously", async () => {
    const server = await startMailServer();
    const deps = withServer(server.url);
    for (let index = 0; index < 6; index++) await sendTo(deps, `u${index}@example.com`);
    await Promise.all([deliverWith(deps), deliverWith(deps), deliverWith(deps)]);
    expect(server.received.map(({ to }) => to[0]).sort()).toEqual(
      [0, 1, 2, 3, 4, 5].map((index) => `u${index}@example.com`),
    );
  });

  it("an e-mail is stored for the operator while the instance has no mail server", async () => {
    const id = await sendTo(base, "ann@example.com");
    expect(await row(id)).toMatchObject({ state: "held" });
    const server = await startMailServer();
    await deliverWith(withServer(server.url));
    expect(server.received).toEqual([]);
    expect((await listMessages(base))[0]?.id).toBe(id);
  });

  it("an e-mail is pruned 24 hours after it was created", async () => {
    await base.db.mailMessage.deleteMany();
    await sendTo(base, "ann@example.com");
    base.advance(86_400);
    expect(await prune(base)).toMatchObject({ mails: 0 });
    base.advance(1);
    expect(await prune(base)).toMatchObject({ mails: 1 });
  });

  it("an e-mail is not sent after it has expired", async () => {
    const server = await startMailServer();
    const deps = withServer(server.url);
    const id = await sendTo(deps, "ann@example.com", { expiresAt: new Date(base.clock().getTime() + 1000) });
    base.advance(2);
    await deliverWith(deps);
    expect(server.received).toEqual([]);
    expect(await row(id)).toMatchObject({ state: "failed", sealedContent: null, lastError: "expired" });
  });

  it.each([
    ["a subject with line breaks", { subject: "Hello\r\nBcc: all@example.com\r\n\r\nText" }],
    [
      "a name with line breaks",
      { content: { recipientName: "Ann\r\nBcc: all@example.com", paragraphs: ["Hi"] } },
    ],
  ])("an e-mail cannot get an additional header from %s", async (_source, more) => {
    const server = await startMailServer();
    const deps = withServer(server.url);
    await sendTo(deps, "ann@example.com", more);
    await deliverWith(deps);
    expect(server.received[0]?.to).toEqual(["ann@example.com"]);
    expect(server.received[0]?.headers["bcc"]).toBeUndefined();
    expect(server.received[0]?.headers["content-type"]).toMatch(/^multipart\/alternative/);
  });

  it.each(["o'neil+x@example.com", "ann@bücher.example", "a!#$%&*/=?^_`{|}~b@example.com"])(
    "an e-mail to the unusual e-mail address %s has exactly one recipient",
    async (email) => {
      const server = await startMailServer();
      const deps = withServer(server.url);
      await sendTo(deps, email);
      await deliverWith(deps);
      expect(server.received.map(({ to }) => to)).toEqual([[email]]);
    },
  );

  it.each([
    "ann@example.com\r\nRCPT TO:<all@example.com>",
    "a,b@example.com",
    "(a)b@example.com",
    "a;b:c@example.com",
    "<ann@example.com",
    "",
  ])(
    "an e-mail to %j is not sent, because the mail library would interpret the text as another e-mail address",
    async (email) => {
      const server = await startMailServer();
      const deps = withServer(server.url);
      const id = await sendTo(deps, email);
      await deliverWith(deps);
      expect(server.received).toEqual([]);
      expect(await row(id)).toMatchObject({ state: "failed", lastError: "invalid_recipient" });
    },
  );
});

const refusal = (status: number): Error =>
  Object.assign(new Error(`ann@example.com: no`), { responseCode: status });

const refusing = (status: number): SMTPServerOptions => ({
  onRcptTo: (_address, _session, done) => done(refusal(status)),
});

describe("a mail server", () => {
  it("if the mail server refuses a recipient with a status of 5xx, the e-mail is not sent a second time", async () => {
    const deps = withServer((await startMailServer(refusing(550))).url);
    const id = await sendTo(deps, "ann@example.com");
    await deliverWith(deps);
    expect(await row(id)).toMatchObject({ state: "failed", sealedContent: null, lastError: "550 EENVELOPE" });
  });

  it.each<[string, SMTPServerOptions, string]>([
    ["refuses the sender", { onMailFrom: (_address, _session, done) => done(refusal(550)) }, "550 EENVELOPE"],
    ["requires a sign-in before the recipient", refusing(530), "530 EENVELOPE"],
  ])("no e-mail is lost if a mail server %s", async (_case, options, lastError) => {
    const id = await sendTo(withServer("smtp://x"), "ann@example.com");
    expect(await deliverWith(withServer((await startMailServer(options)).url))).toBe("server_failed");
    expect(await row(id)).toMatchObject({ state: "waiting", attempts: 1, lastError });
    const corrected = await startMailServer();
    base.advance(60);
    await deliverWith(withServer(corrected.url));
    expect(corrected.received).toHaveLength(1);
  });

  it("if the mail server refuses an e-mail with a status of 4xx, the e-mail is sent again after increasing pauses for a day", async () => {
    const deps = withServer((await startMailServer(refusing(451))).url);
    const id = await sendTo(deps, "ann@example.com");
    await deliverWith(deps);
    expect(await row(id)).toMatchObject({ state: "waiting", attempts: 1, lastError: "451 EENVELOPE" });
    const attemptsAfter = async (seconds: number) => {
      base.advance(seconds);
      await deliverWith(deps);
      return (await row(id)).attempts;
    };
    expect(await attemptsAfter(59)).toBe(1);
    expect(await attemptsAfter(1)).toBe(2);
    expect(await attemptsAfter(299)).toBe(2);
    expect(await attemptsAfter(1)).toBe(3);
    for (let hour = 0; hour < 26; hour++) await attemptsAfter(3600);
    expect(await row(id)).toMatchObject({ state: "failed", sealedContent: null, lastError: "451 EENVELOPE" });
  });

  it("a mail server that refuses a connection gets the e-mail at a later attempt", async () => {
    const id = await sendTo(withServer("smtp://x"), "ann@example.com");
    expect(await deliverWith(withServer("smtp://127.0.0.1:1"))).toBe("server_failed");
    expect(await row(id)).toMatchObject({ state: "waiting", attempts: 1 });
    const server = await startMailServer();
    base.advance(60);
    await deliverWith(withServer(server.url));
    expect(server.received).toHaveLength(1);
  });

  it("a mail server that closes the connection in the middle of an e-mail gets the e-mail again", async () => {
    const server = createServer((socket) =>
      socket.write("220 x\r\n", () => setTimeout(() => socket.destroy(), 5)),
    );
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    afterThisFile(() => server.close());
    const bound = server.address();
    const port = typeof bound === "object" && bound !== null ? bound.port : 0;
    const id = await sendTo(withServer("smtp://x"), "ann@example.com");
    expect(await deliverWith(withServer(`smtp://127.0.0.1:${port}`))).toBe("server_failed");
    expect(await row(id)).toMatchObject({ state: "waiting", attempts: 1 });
    await base.db.mailMessage.deleteMany();
  });

  it("if the process that sends an e-mail ends, another process sends the e-mail after five minutes", async () => {
    const server = await startMailServer();
    const deps = withServer(server.url);
    const id = await sendTo(deps, "ann@example.com");
    const hangs = {
      send: () => new Promise<void>(() => undefined),
      verify: async () => undefined,
      close: () => undefined,
    };
    void deliverDue(deps, hangs);
    await expect.poll(async () => (await row(id)).attempts).toBe(1);
    await deliverWith(deps);
    expect(server.received).toEqual([]);
    base.advance(300);
    await deliverWith(deps);
    expect(server.received).toHaveLength(1);
  });

  it("a mail server with a certificate that cannot be verified gets no e-mail", async () => {
    const server = await startMailServer({ secure: true, disabledCommands: [] });
    const id = await sendTo(withServer("smtp://x"), "ann@example.com");
    const url = server.url.replace("smtp:", "smtps:");
    expect(await deliverWith(withServer(url))).toBe("server_failed");
    expect(server.received).toEqual([]);
    expect((await row(id)).lastError).toBe("ESOCKET");
    base.advance(60);
    await deliverWith(withServer(`${url}/?tls.rejectUnauthorized=false`));
    expect(server.received).toHaveLength(1);
  });

  it("the password in SMTP_URL is sent to the mail server, and a wrong password delays the e-mail", async () => {
    const server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) =>
        password === "p@ss" ? done(null, { user: "ann" }) : done(new Error("wrong")),
    });
    const urlWith = (password: string) => server.url.replace("//", `//user:${password}@`);
    const id = await sendTo(withServer("smtp://x"), "ann@example.com");
    expect(await deliverWith(withServer(urlWith("other")))).toBe("server_failed");
    expect(await row(id)).toMatchObject({ state: "waiting", lastError: "535 EAUTH" });
    base.advance(60);
    await deliverWith(withServer(urlWith("p%40ss")));
    expect(server.received).toHaveLength(1);
  });

  it("the password is never sent to a mail server that runs on another computer and offers no TLS", async () => {
    let authenticated = false;
    const server = await startMailServer({
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => {
        authenticated = true;
        done(null, { user: "ann" });
      },
    });
    // Connections to the IP address 0.0.0.0 go to this computer, but 0.0.0.0 does not count as a local host.
    const url = `smtp://user:secret@0.0.0.0:${server.port}`;
    const id = await sendTo(withServer("smtp://x"), "ann@example.com");
    expect(await deliverWith(withServer(url))).toBe("server_failed");
    expect([authenticated, (await row(id)).state]).toEqual([false, "waiting"]);
    await base.db.mailMessage.deleteMany();
  });
});
