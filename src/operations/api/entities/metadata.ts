import { z } from "zod";
import { defineEntity } from "@/http-api/entity";
import { PRODUCT_VERSION } from "@/kernel/config/product";

const versionFields = {
  version: z
    .string()
    .describe("The GitLab version whose API the instance follows (setting reported_version)."),
  revision: z.string(),
  gatehouse_version: z.string().describe("The version of Gatehouse itself."),
};

/**
 * Returns the versions of GitLab and of Gatehouse. GitLab clients use `version` to decide which parameters
 * they can send. The commit of the build is not disclosed to clients.
 */
const versionsOf = (reported: string) => ({
  version: reported,
  revision: "release",
  gatehouse_version: PRODUCT_VERSION,
});

export const version = defineEntity("version", versionFields, versionsOf);

/** The fields of `GET /version`, and in addition the components that a GitLab instance can have. */
export const metadata = defineEntity(
  "metadata",
  {
    ...versionFields,
    enterprise: z.boolean(),
    kas: z.object({
      enabled: z.boolean(),
      externalUrl: z.null(),
      externalK8sProxyUrl: z.null(),
      version: z.null(),
    }),
  },
  (reported: string) => ({
    ...versionsOf(reported),
    enterprise: false,
    kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
  }),
);
