export {
  answerTokenRequest as GET,
  unknownService as POST,
} from "@/registries/container-registry/token-endpoint";
