import * as audit from "@/instance/audit/service";
import { renderMailHtml, renderMailText } from "@/instance/mail/layout";
import { deliverableEmail, failureOf } from "@/instance/mail/rules";
import { contentOf, findMessage, listMessages } from "@/instance/mail/service";
import { openTransport } from "@/instance/mail/smtp";
import { defineCommand, required, UsageError } from "./command";

const mailList = defineCommand({
  name: "mail list",
  usage: "",
  about: "List the e-mails of the last 24 hours with their states, newest first.",
  options: {},
  run: async ({ open }) => {
    const { deps } = await open();
    const messages = await listMessages(deps);
    const lines = messages.map(({ id, createdAt, state, recipient, subject, lastError }) =>
      [
        id,
        createdAt.toISOString(),
        lastError === null ? state : `${state} (${lastError})`,
        recipient,
        subject,
      ].join("  "),
    );
    return {
      text: lines.length === 0 ? "There are no e-mails." : lines.join("\n"),
      json: {
        mails: messages.map(({ id, kind, createdAt, state, attempts, lastError, recipient, subject }) => ({
          id,
          kind,
          created_at: createdAt.toISOString(),
          state,
          attempts,
          last_error: lastError,
          to: recipient,
          subject,
        })),
      },
    };
  },
});

const mailShow = defineCommand({
  name: "mail show",
  usage: "ID",
  about: "Print an e-mail that has not been sent yet. The links in the printed e-mail are valid.",
  options: {},
  words: ["ID"],
  run: async ({ open }, _options, [id = ""]) => {
    const { deps } = await open();
    const message = /^\d{1,9}$/.test(id) ? await findMessage(deps, Number(id)) : null;
    if (message === null)
      throw new UsageError(
        `There is no e-mail with the id ${id}. Run "gatehouse mail list" to list the e-mails.`,
      );
    const content = contentOf(deps, message);
    const text =
      content === null
        ? "The text of this e-mail was deleted after the last attempt to send the e-mail."
        : renderMailText(content, deps.config.issuer);
    const { recipient, subject, state, createdAt, kind, userId } = message;
    // The printed links are valid, so that the operator could set a new password for the user.
    if (content !== null)
      await audit.record(deps, "mail.shown", { mailId: message.id, kind, recipient }, { userId });
    return {
      text: [
        `To: ${recipient}`,
        `Subject: ${subject}`,
        `Date: ${createdAt.toUTCString()}`,
        `State: ${state}`,
        "",
        text,
      ].join("\n"),
      json: { id: message.id, to: recipient, subject, state, text: content === null ? null : text },
    };
  },
});

const mailTest = defineCommand({
  name: "mail test",
  usage: "--to E",
  about: "Send a test e-mail through the mail server and print the result.",
  options: { to: "text" },
  run: async ({ config }, options) => {
    const to = required(options.to, "to");
    if (config.mail === null)
      throw new UsageError("This instance has no mail server. Set SMTP_URL and MAIL_FROM.");
    if (deliverableEmail(to) === null) throw new UsageError(`${to} is not an e-mail address.`);
    const transport = await openTransport(config.mail);
    const content = { paragraphs: ["This e-mail shows that the mail server of this instance works."] };
    const subject = "Test of the mail server";
    const now = new Date();
    try {
      await transport.send({
        to,
        subject,
        text: renderMailText(content, config.issuer),
        html: renderMailHtml(subject, content, config.issuer),
        messageId: `<test-${now.getTime()}@${config.baseUrl.hostname}>`,
        date: now,
        unsubscribeUrl: undefined,
      });
    } catch (cause) {
      const { reason } = failureOf(cause);
      return {
        text: `The mail server did not accept the e-mail: ${reason}.`,
        json: { sent: false, reason },
        failed: true,
      };
    } finally {
      transport.close();
    }
    return { text: `The mail server accepted the e-mail to ${to}.`, json: { sent: true } };
  },
});

export const commands = [mailList, mailShow, mailTest];
