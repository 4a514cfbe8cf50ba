export {
  handleTokenRequest as GET,
  unknownService as POST,
} from "@/registries/container-registry/token-endpoint";
