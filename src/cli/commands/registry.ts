import { writeFile } from "node:fs/promises";
import { registryCertificate } from "@/registries/container-registry/registry-key";
import { defineCommand } from "./command";

const registryCertificateCommand = defineCommand({
  name: "registry certificate",
  usage: "[--out FILE] [--renew]",
  about:
    "Write the certificate with which a container registry verifies the tokens of this instance (the setting rootcertbundle of the registry). --renew creates a new certificate.",
  options: { out: "text", renew: "flag" },
  run: async ({ open }, { out, renew }) => {
    const { deps } = await open();
    const certificate = await registryCertificate(deps, renew);
    if (out === undefined) return { text: certificate.trimEnd(), json: { certificate } };
    await writeFile(out, certificate);
    return { text: `The certificate is in ${out}.`, json: { certificate, file: out } };
  },
});

export const commands = [registryCertificateCommand];
