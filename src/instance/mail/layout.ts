import { PRODUCT_NAME } from "@/kernel/config/product";

/** The content of an e-mail, for both the plain text and the HTML. */
export type MailContent = Readonly<{
  /** The name in the salutation. */
  recipientName?: string | undefined;
  /** The paragraphs before the list of details. */
  paragraphs: readonly string[];
  /** Details, such as the time and the IP address of an event. */
  facts?: readonly (readonly [label: string, value: string])[] | undefined;
  /** The main link of the message. */
  action?: Readonly<{ label: string; url: string }> | undefined;
  /** The paragraphs after the link. */
  closing?: readonly string[] | undefined;
  /** The URL at which the recipient unsubscribes from messages of this kind. */
  unsubscribeUrl?: string | undefined;
}>;

const LINE_CHARACTERS_MAX = 72;

/** Returns the plain text of an e-mail. Lines are wrapped, except for lines with a URL. */
export function renderMailText(content: MailContent, instanceUrl: string): string {
  const { recipientName, paragraphs, facts = [], action, closing = [], unsubscribeUrl } = content;
  const blocks = [
    ...(recipientName === undefined ? [] : [`Hello ${oneLine(recipientName)},`]),
    ...paragraphs.map(wrapped),
    ...(facts.length === 0 ? [] : [facts.map(([label, value]) => `${label}: ${oneLine(value)}`).join("\n")]),
    ...(action === undefined ? [] : [`${action.label}:\n${action.url}`]),
    ...closing.map(wrapped),
    [
      "-- ",
      `${PRODUCT_NAME} at ${instanceUrl}`,
      ...(unsubscribeUrl === undefined ? [] : [`Unsubscribe: ${unsubscribeUrl}`]),
    ].join("\n"),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/**
 * Returns the HTML of an e-mail. The HTML loads no images, fonts or scripts, so that nobody can detect
 * whether the recipient has read the message.
 */
export function renderMailHtml(subject: string, content: MailContent, instanceUrl: string): string {
  const { recipientName, paragraphs, facts = [], action, closing = [], unsubscribeUrl } = content;
  const paragraph = (text: string): string => `<p style="margin:0 0 16px">${escaped(text)}</p>`;
  const link = (url: string, text: string, style: string): string =>
    `<a href="${escaped(url)}" style="${style}">${escaped(text)}</a>`;
  const body = [
    ...(recipientName === undefined ? [] : [paragraph(`Hello ${recipientName},`)]),
    ...paragraphs.map(paragraph),
    ...(facts.length === 0
      ? []
      : [
          `<table role="presentation" style="margin:0 0 16px;border-collapse:collapse">${facts
            .map(
              ([label, value]) =>
                `<tr><td style="padding:2px 16px 2px 0;color:#6b6862;vertical-align:top">${escaped(label)}</td><td style="padding:2px 0">${escaped(value)}</td></tr>`,
            )
            .join("")}</table>`,
        ]),
    ...(action === undefined
      ? []
      : [
          `<p style="margin:0 0 16px">${link(action.url, action.label, BUTTON_STYLE)}</p>`,
          `<p style="margin:0 0 16px;font-size:13px;color:#6b6862;overflow-wrap:anywhere">If the button does not work, open this URL: ${link(action.url, action.url, "color:#1f5f4a")}</p>`,
        ]),
    ...closing.map(paragraph),
  ];
  const footer = [
    `${PRODUCT_NAME} at ${link(instanceUrl, instanceUrl, "color:#6b6862")}`,
    ...(unsubscribeUrl === undefined ? [] : [link(unsubscribeUrl, "Unsubscribe", "color:#6b6862")]),
  ];
  return [
    `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><title>${escaped(subject)}</title></head>`,
    `<body style="margin:0;padding:24px 16px;background:#f6f5f2;color:#1c1b19;font:15px/1.5 system-ui,sans-serif">`,
    `<div dir="auto" style="max-width:520px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #e4e1da;border-radius:14px">`,
    `<h1 style="margin:0 0 16px;font-size:21px;line-height:1.3">${escaped(subject)}</h1>`,
    ...body,
    `</div><p style="max-width:520px;margin:16px auto 0;font-size:13px;color:#6b6862">${footer.join(" · ")}</p></body></html>`,
  ].join("\n");
}

const BUTTON_STYLE =
  "display:inline-block;padding:10px 18px;border-radius:9px;background:#1f5f4a;color:#ffffff;text-decoration:none;font-weight:600";

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

/**
 * Breaks a paragraph into lines of at most `LINE_CHARACTERS_MAX` characters. A word that is longer than
 * `LINE_CHARACTERS_MAX` gets its own line.
 */
function wrapped(paragraph: string): string {
  const lines: string[] = [];
  for (const word of paragraph.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= LINE_CHARACTERS_MAX)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}
