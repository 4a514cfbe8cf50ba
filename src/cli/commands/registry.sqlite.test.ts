import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandLine, gatehouse, json, useNewInstance } from "@/testing/command-line.ts";

commandLine();

it("`gatehouse registry certificate` writes the same certificate until the certificate is renewed", async () => {
  const folder = await useNewInstance();
  const file = join(folder, "registry.crt");
  expect(await gatehouse("registry", "certificate", "--out", file)).toMatchObject({
    status: 0,
    out: `The certificate is in ${file}.\n`,
  });
  const written = await readFile(file, "utf8");
  expect(new X509Certificate(written).subject).toBe("CN=Gatehouse container registry");
  expect((await gatehouse("registry", "certificate")).out).toBe(written);
  const { certificate } = await json("registry", "certificate", "--renew");
  expect(certificate).not.toBe(written);
  expect((await gatehouse("registry", "certificate")).out).toBe(certificate);
});
