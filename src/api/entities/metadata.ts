import { z } from "zod";
import { PRODUCT_VERSION } from "@/platform/product";
import { defineEntity } from "../entity";

const versionFields = { version: z.string(), revision: z.string() };

/** Which build it is, is told to nobody: a release has one. */
const versionOfProduct = () => ({ version: PRODUCT_VERSION, revision: "release" });

/** What this is, for clients that go by the version. */
export const version = defineEntity("version", versionFields, (_nothing: null) => versionOfProduct());

/** The same, with the parts that an instance of the dialect may have. */
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
  (_nothing: null) => ({
    ...versionOfProduct(),
    enterprise: false,
    kas: { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null },
  }),
);
