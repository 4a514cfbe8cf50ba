import { z } from "zod";
import { defineEntity } from "@/http-api/entity";

/** The answer of the dialect to a removal that need not be done at once; here it is. */
export const accepted = defineEntity("accepted", { message: z.literal("202 Accepted") }, (_done: null) => ({
  message: "202 Accepted" as const,
}));
