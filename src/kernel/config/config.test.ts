import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";

describe("readConfig", () => {
  it("readConfig requires no environment variable: by default, the instance serves localhost and stores SQLite data in ./data", () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      issuer: "http://localhost:3000",
      dataDir: resolve("data"),
      database: { provider: "sqlite", file: resolve("data/gatehouse.db") },
      secret: null,
      rootPassword: null,
      workers: 1,
      logLevel: "info",
    });
  });

  it("readConfig treats an empty environment variable as absent", () => {
    const empty = Object.fromEntries(
      ["PORT", "HOST", "BASE_URL", "DATABASE_URL", "DATA_DIR", "GATEHOUSE_SECRET", "LOG_LEVEL"].map(
        (name) => [name, ""],
      ),
    );
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it("readConfig derives the public URL from PORT unless BASE_URL is set", () => {
    expect(readConfig({ PORT: "8080" }).issuer).toBe("http://localhost:8080");
    expect(readConfig({ PORT: "8080", BASE_URL: "https://id.example.com" }).issuer).toBe(
      "https://id.example.com",
    );
    expect(readConfig({ BASE_URL: "https://id.example.com/" }).issuer).toBe("https://id.example.com");
  });

  it.each<[string, string, object]>([
    ["a file", "file:/data/x.db", { provider: "sqlite", file: "/data/x.db" }],
    ["a relative file", "file:x.db", { provider: "sqlite", file: resolve("x.db") }],
    ["PostgreSQL", "postgresql://u:p@db/x", { provider: "postgresql", url: "postgresql://u:p@db/x" }],
    ["PostgreSQL by its short name", "postgres://db/x", { provider: "postgresql", url: "postgres://db/x" }],
  ])("readConfig chooses the database by DATABASE_URL: %s", (_what, url, expected) => {
    expect(readConfig({ DATABASE_URL: url }).database).toEqual(expected);
  });

  it("readConfig places the SQLite file in the folder DATA_DIR", () => {
    const { dataDir, database } = readConfig({ DATA_DIR: "/srv/gatehouse" });
    expect([dataDir, database]).toEqual([
      "/srv/gatehouse",
      { provider: "sqlite", file: "/srv/gatehouse/gatehouse.db" },
    ]);
  });

  it("readConfig selects DATA_DIR for package files, or the bucket S3_BUCKET if STORAGE is s3", () => {
    const s3 = {
      S3_BUCKET: "files/gatehouse",
      S3_ENDPOINT: "https://s3.example.com",
      S3_ACCESS_KEY_ID: "id",
      S3_SECRET_ACCESS_KEY: "key",
    };
    const bucket = { name: "files", prefix: "gatehouse/" };
    expect(readConfig({})).toMatchObject({ files: { kind: "folder" }, fileBucket: null });
    expect(readConfig(s3)).toMatchObject({ files: { kind: "folder" }, fileBucket: { bucket } });
    expect(readConfig({ ...s3, STORAGE: "s3" }).files).toMatchObject({
      kind: "s3",
      bucket,
      server: { endpoint: new URL("https://s3.example.com"), accessKeyId: "id" },
    });
    expect(() => readConfig({ STORAGE: "s3", S3_ACCESS_KEY_ID: "id" })).toThrow(
      /S3_BUCKET is missing.*\n.*S3_SECRET_ACCESS_KEY is missing/,
    );
  });

  it.each<[string, string]>([
    ["STORAGE", "disk"],
    ["S3_BUCKET", "Files"],
    ["S3_BUCKET", "files/../other"],
    ["PORT", "0"],
    ["PORT", "65536"],
    ["PORT", "http"],
    ["TRUSTED_PROXIES", "10.0.0.0/8, foo"],
    ["PORT", "1.5"],
    ["BASE_URL", "id.example.com"],
    ["BASE_URL", "ftp://id.example.com"],
    ["BASE_URL", "javascript:alert(1)"],
    ["BASE_URL", "https://id.example.com/path"],
    ["BASE_URL", "https://id.example.com/?a=b"],
    ["BASE_URL", "https://id.example.com/#a"],
    ["BASE_URL", "https://user:password@id.example.com"],
    ["DATABASE_URL", "mysql://db/x"],
    ["DATABASE_URL", "/data/x.db"],
    ["GATEHOUSE_SECRET", "short"],
    ["GATEHOUSE_ROOT_PASSWORD", "short"],
    ["GATEHOUSE_ROOT_PASSWORD", "x".repeat(129)],
    ["LOG_LEVEL", "loud"],
    ["WEB_CONCURRENCY", "0"],
    ["WEB_CONCURRENCY", "many"],
  ])(
    "readConfig refuses %s=%s with a message that names the variable and does not repeat secrets",
    (name, value) => {
      const read = () => readConfig({ [name]: value });
      expect(read).toThrow(name);
      if (name.startsWith("GATEHOUSE")) expect(read).not.toThrow(value);
    },
  );

  it.each<[string, string, string]>([
    ["PORT", "abc", 'PORT must be a whole number from 1 to 65535, not "abc"'],
    ["PORT", "0", 'PORT must be a whole number from 1 to 65535, not "0"'],
    ["SLOW_QUERY_MS", "soon", 'SLOW_QUERY_MS must be a whole number from 0 to 3600000, not "soon"'],
    ["OTEL_TRACES_SAMPLER_ARG", "2", 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "2"'],
    ["WEB_CONCURRENCY", "many", 'WEB_CONCURRENCY must be a number from 1 to 128, or auto, not "many"'],
  ])("the error for %s=%s contains the value and the allowed range", (name, value, message) => {
    expect(() => readConfig({ [name]: value })).toThrow(message);
  });

  it("readConfig reads the number of workers from WEB_CONCURRENCY", () => {
    expect(readConfig({ WEB_CONCURRENCY: "3" }).workers).toBe(3);
    expect(readConfig({ WEB_CONCURRENCY: "auto" }).workers).toBe(availableParallelism());
  });

  it("readConfig names every invalid environment variable in one error message", () => {
    const read = () => readConfig({ PORT: "x", BASE_URL: "x" });
    expect(read).toThrow(/PORT[\s\S]*BASE_URL/);
  });

  it("readConfig returns a configuration that cannot be changed", () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });
});

describe("the configuration of the mail server", () => {
  const SMTP_URL = "smtp://user:p%40ss@mail.example.com:587";

  it("the configuration of the mail server is null if SMTP_URL is not set", () => {
    expect(readConfig({ MAIL_FROM: "id@example.com" }).mail).toBeNull();
  });

  it.each([
    ["id@example.com", { name: "Gatehouse", address: "id@example.com" }],
    ["Acme ID <id@example.com>", { name: "Acme ID", address: "id@example.com" }],
  ])("readConfig reads the sender %s from MAIL_FROM", (MAIL_FROM, from) => {
    expect(readConfig({ SMTP_URL, MAIL_FROM }).mail).toEqual({ url: SMTP_URL, from });
  });

  it.each([
    ["SMTP_URL", "https://user:p%40ss@mail.example.com"],
    ["SMTP_URL", "p%40ss"],
    ["MAIL_FROM", ""],
    ["MAIL_FROM", "somebody"],
    ["MAIL_FROM", "A <a@example.com>\r\nBcc: b@example.com"],
    ["MAIL_FROM", "A\r\nBcc: <b@example.com>"],
  ])("readConfig refuses %s=%j with an error message that does not repeat the password", (name, value) => {
    const read = () => readConfig({ SMTP_URL, MAIL_FROM: "id@example.com", [name]: value });
    expect(read).toThrow(new RegExp(`invalid:\\n +${name} `));
    expect(read).not.toThrow("p%40ss");
  });
});

describe("the configuration of the container registry", () => {
  const env = {
    REGISTRY_URL: "https://registry.example.com",
    REGISTRY_NOTIFICATION_TOKEN: "sixteen characters",
  };

  it("the configuration of the container registry is null if REGISTRY_URL is not set, and otherwise contains the URL from REGISTRY_INTERNAL_URL", () => {
    expect(readConfig({ ...env, REGISTRY_URL: "" }).registry).toBeNull();
    expect(readConfig(env).registry).toEqual({
      url: new URL("https://registry.example.com"),
      internalUrl: new URL("https://registry.example.com"),
      service: "container_registry",
      notificationToken: "sixteen characters",
    });
    const inside = { ...env, REGISTRY_INTERNAL_URL: "http://10.0.0.7:5000", REGISTRY_SERVICE: "images" };
    expect(readConfig(inside).registry).toMatchObject({
      internalUrl: new URL("http://10.0.0.7:5000"),
      service: "images",
    });
  });

  it.each([
    ["REGISTRY_NOTIFICATION_TOKEN", ""],
    ["REGISTRY_NOTIFICATION_TOKEN", "short"],
    ["REGISTRY_URL", "registry.example.com"],
    ["REGISTRY_URL", "https://example.com/registry"],
    ["REGISTRY_SERVICE", "a b"],
  ])("readConfig refuses %s=%j for the container registry", (name, value) => {
    expect(() => readConfig({ ...env, [name]: value })).toThrow(new RegExp(`invalid:\\n +${name} `));
  });
});
