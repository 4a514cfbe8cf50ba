import { z } from "zod";
import { defineEntity } from "@/http-api/entity";

/**
 * The response that GitLab sends when it accepts a removal that runs later. Gatehouse removes the resource
 * before it sends this response.
 */
export const accepted = defineEntity("accepted", { message: z.literal("202 Accepted") }, (_done: null) => ({
  message: "202 Accepted" as const,
}));
