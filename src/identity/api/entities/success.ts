import { z } from "zod";
import { defineEntity } from "@/http-api/entity";

/** The response of GitLab to a decision about a registration. */
export const success = defineEntity("success", { message: z.literal("Success") }, (_done: null) => ({
  message: "Success" as const,
}));
