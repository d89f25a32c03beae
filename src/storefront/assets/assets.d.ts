// A file imported with `type: "text"` is its text.

declare module "#storefront/assets/*.js" {
  const text: string;
  export default text;
}
