// A unit of systemd imported with `type: "text"` is its text.

declare module "*.service" {
  const text: string;
  export default text;
}
