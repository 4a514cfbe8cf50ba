export { answerTokenRequest as GET, unknownService as POST } from "@/registry/token-endpoint";
