import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { envelopeReader, parseEnvelope, parseObject } from "./envelope.ts";
import { CollectorRefusal } from "./refusals.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (payload: Uint8Array | null): string => new TextDecoder().decode(payload ?? undefined);
const items = (envelope: string) =>
  parseEnvelope(bytes(envelope)).items.map(({ type, payload }) => [type, text(payload)]);
const statusOf = (envelope: string): number => {
  try {
    parseEnvelope(bytes(envelope));
    return 200;
  } catch (cause) {
    if (cause instanceof CollectorRefusal) return cause.status;
    throw cause;
  }
};

describe("the parser of Sentry envelopes", () => {
  it.each<[string, string, string[][]]>([
    ["without items", "{}", []],
    ["without items, with a newline", "{}\n", []],
    ["with an implicit length", '{}\n{"type":"event"}\n{"a":1}', [["event", '{"a":1}']]],
    ["with a last newline", '{}\n{"type":"event"}\n{"a":1}\n', [["event", '{"a":1}']]],
    [
      "with newlines in a payload",
      '{}\n{"type":"attachment","length":5}\na\nb\nc\n',
      [["attachment", "a\nb\nc"]],
    ],
    ["with a length in bytes", '{}\n{"type":"event","length":4}\näö\n', [["event", "äö"]]],
    [
      "with an empty payload",
      '{}\n{"type":"a","length":0}\n\n{"type":"b"}\nx',
      [
        ["a", ""],
        ["b", "x"],
      ],
    ],
    ["with a last item without payload", '{}\n{"type":"a"}', [["a", ""]]],
    [
      "with empty lines between items",
      '{}\n\n{"type":"a"}\nx\n\n\n{"type":"b"}\ny\n\n',
      [
        ["a", "x"],
        ["b", "y"],
      ],
    ],
    ["with carriage returns", '{}\r\n{"type":"a"}\r\n{"x":1}\r\n', [["a", '{"x":1}\r']]],
  ])("the envelope parser returns the items of an envelope %s", (_what, envelope, expected) => {
    expect(items(envelope)).toEqual(expected);
  });

  it.each<[string, string, number]>([
    ["that is empty", "", 400],
    ["that is not JSON", "hello", 400],
    ["with an array as its header", "[]", 400],
    ["that is null", "null", 400],
    ["with an invalid item header", '{}\nx\n{"a":1}', 400],
    ["with an item without a type", '{}\n{"length":1}\nx', 400],
    ["with an item whose type is a number", '{}\n{"type":1}\nx', 400],
    ["with an item shorter than its length", '{}\n{"type":"event","length":900}\n{"a":1}', 400],
    ["with an item longer than its length", '{}\n{"type":"event","length":3}\n{"a":1}', 400],
    ["with a negative length", '{}\n{"type":"event","length":-1}\nx', 400],
    ["with a fractional length", '{}\n{"type":"event","length":1.5}\nx', 400],
    ["with a length that is a string", '{}\n{"type":"event","length":"1"}\nx', 400],
    ["with a huge length", '{}\n{"type":"event","length":1e308}\nx', 400],
    ["with a header that is too long", `{"a":"${"x".repeat(20_000)}"}`, 400],
    ["with a hundred items", `{}${'\n{"type":"a"}\nx'.repeat(100)}`, 200],
    ["with too many items", `{}${'\n{"type":"a"}\nx'.repeat(101)}`, 413],
    ["with a million empty lines", `{}${"\n".repeat(1_000_000)}`, 200],
    ["with half a million lines of objects", `{}${"\n{}".repeat(500_000)}`, 400],
  ])("an envelope %s gets the status $2", (_what, envelope, status) => {
    expect(statusOf(envelope)).toBe(status);
  });

  it("the envelope parser returns payloads of arbitrary bytes unchanged", () => {
    const item = fc.record({ type: fc.string(), payload: fc.uint8Array({ maxLength: 200 }) });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 20 }), fc.boolean(), (items, ends) => {
        const parts = items.flatMap(({ type, payload }, at) => [
          Buffer.from(`${JSON.stringify({ type, length: payload.length })}\n`),
          Buffer.from(payload),
          Buffer.from(ends || at < items.length - 1 ? "\n" : ""),
        ]);
        const { items: read } = parseEnvelope(Buffer.concat([Buffer.from('{"sdk":{}}\n'), ...parts]));
        expect(read.map(({ type, payload }) => [type, [...(payload ?? [])]])).toEqual(
          items.map(({ type, payload }) => [type, [...payload]]),
        );
      }),
    );
  });

  it(
    conformance(
      "SC-28",
      "the envelope parser returns the same result when an envelope arrives in chunks of any size",
    ),
    () => {
      const envelope = bytes(
        '{"a":1}\n{"type":"event","length":5}\na\nb\nc\n\n{"type":"b"}\nxyz\n{"type":"c","length":0}\n',
      );
      const keepAll = { isKept: () => true, bytesMax: 100 };
      fc.assert(
        fc.property(fc.array(fc.nat(envelope.length), { maxLength: 20 }), (cuts) => {
          const reader = envelopeReader(keepAll);
          const places = [0, ...cuts.sort((a, b) => a - b), envelope.length];
          for (const [at, from] of places.entries()) reader.push(envelope.subarray(from, places[at + 1]));
          const { header, items } = reader.end();
          expect(header).toEqual({ a: 1 });
          expect(items.map(({ type, bytes: length, payload }) => [type, length, text(payload)])).toEqual([
            ["event", 5, "a\nb\nc"],
            ["b", 3, "xyz"],
            ["c", 0, ""],
          ]);
        }),
      );
    },
  );

  it(
    conformance(
      "SC-28",
      "the envelope parser discards payloads that are too large or that belong to an item of a dropped type",
    ),
    () => {
      const reader = envelopeReader({ isKept: (type) => type !== "attachment", bytesMax: 6 });
      reader.push(
        bytes('{}\n{"type":"attachment"}\n12345678\n{"type":"a"}\n1234\n{"type":"b"}\n123\n{"type":"c"}\n12'),
      );
      expect(
        reader
          .end()
          .items.map(({ type, bytes: length, payload }) => [type, length, payload && text(payload)]),
      ).toEqual([
        ["attachment", 8, null],
        ["a", 4, "1234"],
        ["b", 3, null],
        ["c", 2, "12"],
      ]);
    },
  );

  it("the envelope parser either parses or rejects an envelope of random bytes", () => {
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({ type: fc.string(), length: fc.oneof(fc.integer(), fc.double(), fc.string()) })
        .map((line) => JSON.stringify(line)),
      fc.constantFrom("{}", '{"type":"event"}', "", "\r", "\0"),
    );
    const lines = fc.array(line).map((all) => Buffer.from(all.join("\n")));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), lines), (body) => {
        try {
          parseEnvelope(body);
        } catch (cause) {
          expect(cause).toBeInstanceOf(CollectorRefusal);
          expect([400, 413]).toContain((cause as CollectorRefusal).status);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("the JSON of an event", () => {
  const deep = (levels: number, filling = ""): Uint8Array =>
    bytes(`{"filling":"${filling}","a":${"[".repeat(levels)}${"]".repeat(levels)}}`);

  it("an event is rejected if its JSON is nested more deeply than the JSON that SDKs send", () => {
    const filling = "x".repeat(10_000);
    expect(parseObject(deep(190, filling), "It")).toHaveProperty("a");
    expect(() => parseObject(deep(210, filling), "It")).toThrow("It is nested too deeply.");
    expect(() => parseObject(bytes("[".repeat(1_000_000)), "It")).toThrow("It is nested too deeply.");
    expect(() => parseObject(bytes('{"a":'.repeat(100_000)), "It")).toThrow("It is nested too deeply.");
  });

  it("the JSON of an event may contain any number of brackets in strings", () => {
    const filling = `${'[{\\"\\\\'.repeat(5_000)}`;
    expect(parseObject(deep(3, filling), "It")).toMatchObject({ filling: '[{"\\'.repeat(5_000) });
  });
});
