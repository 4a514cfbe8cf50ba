import { badRequest } from "@/server/bad-request.ts";

export const GET = badRequest;
