import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { hasBrackets, Malformed, parseJsonParameters, parseParameters, queryOf } from "./parameters.ts";

const valuesOf = (text: string) => Object.fromEntries(parseParameters(text).values);

describe("parseParameters", () => {
  it.each<[string, Record<string, string>]>([
    ["", {}],
    ["a=1&b=2", { a: "1", b: "2" }],
    ["a=b+c%20d%2B", { a: "b c d+" }],
    ["a=b=c", { a: "b=c" }],
    ["a%5Bb%5D=c", { "a[b]": "c" }],
    ["a=%C3%A9%E2%9C%93", { a: "é✓" }],
    ["a=%F0%9F%98%80", { a: "😀" }],
    ["&&a=1&", { a: "1" }],
    ["a=é", { a: "é" }],
  ])("parseParameters parses %j", (text, expected) => {
    expect(valuesOf(text)).toEqual(expected);
  });

  it.each(["a=", "a", "=", "a=&b="])(
    conformance("XC-06", "parseParameters treats a parameter with an empty value as absent: %j"),
    (text) => {
      expect(valuesOf(text)).toEqual({});
    },
  );

  it.each(["a=1&a=1", "a=1&a=2", "a=&a=1", "a&a", "a=1&%61=2"])(
    conformance("XC-07", 'parseParameters reports that "a" was sent more than once: %s'),
    (text) => {
      expect([...parseParameters(text).repeated]).toEqual(["a"]);
    },
  );

  it.each([
    "a=%zz",
    "a=%",
    "a=%4",
    "%zz=a",
    "a=%ff",
    "a=%c3%28",
    "a=%ed%a0%80",
    "a=%00",
    "a=b\0c",
    "a=\ud800",
  ])(conformance("XC-09", "AT-32", "parseParameters throws an error for the text %j"), (text) => {
    expect(() => parseParameters(text)).toThrow(Malformed);
  });

  it(conformance("AT-31", "parseParameters parses two hundred parameters and refuses more"), () => {
    const parameters = (count: number) =>
      Array.from({ length: count }, (_, index) => `p${index}=x`).join("&");
    expect(parseParameters(parameters(200)).values.size).toBe(200);
    expect(() => parseParameters(parameters(201))).toThrow(Malformed);
    expect(() => parseParameters("a=&".repeat(201))).toThrow(Malformed);
  });

  it(
    conformance(
      "AT-41",
      "parseParameters treats the names of built-in object members as ordinary parameter names",
    ),
    () => {
      const { values } = parseParameters("__proto__=x&constructor=y&toString=z");
      expect([...values.keys()]).toEqual(["__proto__", "constructor", "toString"]);
      expect(values.get("hasOwnProperty")).toBeUndefined();
    },
  );
});

describe("parseJsonParameters", () => {
  it.each(["null", "true", '["b"]', '{"b":"c"}'])(
    "the error of parseJsonParameters names the parameter whose value is %s",
    (value) => {
      const text = `{"grant_type":"x","a":${value}}`;
      expect(() => parseJsonParameters(text)).toThrow(expect.objectContaining({ parameter: "a" }));
    },
  );

  it(conformance("TK-18", "parseJsonParameters parses a JSON object of strings"), () => {
    const { values, repeated } = parseJsonParameters('{"a": "1", "b" : "x:\\"y\\":z", "c": "", "é": "✓"}');
    expect(Object.fromEntries(values)).toEqual({ a: "1", b: 'x:"y":z', é: "✓" });
    expect([...repeated]).toEqual([]);
  });

  it(
    conformance("SC-25", "parseJsonParameters returns a JSON number of any length as text, without rounding"),
    () => {
      const text = '{"a": 12345678901234567890, "b":-1.50e+3 , "c":"1", "d" :0}';
      const read = Object.fromEntries(parseJsonParameters(text).values);
      expect(read).toEqual({ a: "12345678901234567890", b: "-1.50e+3", c: "1", d: "0" });
    },
  );

  it.each(['{"a":1,"a":"1"}', '{"a":"1","a":"2"}', '{"a":"1","\\u0061":"2"}', '{"a":"","a":"1"}'])(
    conformance("XC-07", 'parseJsonParameters reports that "a" was sent more than once: %s'),
    (text) => {
      expect([...parseJsonParameters(text).repeated]).toEqual(["a"]);
    },
  );

  it.each([
    "",
    "{",
    "null",
    "1",
    '"a"',
    "[]",
    '["a"]',
    '{"a":01}',
    '{"a":1.}',
    '{"a":null}',
    '{"a":true}',
    '{"a":["b"]}',
    '{"a":{"not":null}}',
    '{"a":{"b":"c"}}',
    '{"__proto__":{"a":"b"}}',
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    '{"a":"\\udc00\\ud800"}',
  ])(
    conformance("XC-08", "XC-09", "XC-12", "AT-40", "parseJsonParameters throws an error for the text %s"),
    (text) => {
      expect(() => parseJsonParameters(text)).toThrow(Malformed);
    },
  );
});

describe("hasBrackets", () => {
  it.each<[string, boolean]>([
    ["scope=a", false],
    ["scope[]=a", true],
    ["scope[]=", true],
    ["scope[not]=a", true],
    ["scope%5B0%5D=a", true],
    ["scope[", true],
    ["other[]=a", false],
    ["scopes[]=a", false],
    ["state=scope[]", false],
  ])(
    conformance("XC-08", "hasBrackets returns whether a name of the parameters %s contains brackets: %s"),
    (text, expected) => {
      expect(hasBrackets(parseParameters(text), ["scope", "state"])).toBe(expected);
    },
  );
});

describe("queryOf", () => {
  it.each<[string, string]>([
    ["http://localhost:3000/a", ""],
    ["http://localhost:3000/a?", ""],
    ["http://localhost:3000/a?b=c?d", "b=c?d"],
    ["http://localhost:3000/a?b=c#d?e", "b=c"],
  ])("the query of the URL %s is %j", (url, expected) => {
    expect(queryOf(url)).toBe(expected);
  });
});
