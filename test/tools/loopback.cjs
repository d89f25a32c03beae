// Servers that would listen on all addresses listen on loopback: node --require ./loopback.cjs
const { Server } = require("node:net");
const { listen } = Server.prototype;
Server.prototype.listen = function onLoopback(first, ...rest) {
  const isObject = typeof first === "object" && first !== null;
  const terms = isObject ? { ...first } : { port: Number(first) };
  const callback = rest.findLast((one) => typeof one === "function");
  return listen.call(this, { ...terms, host: "127.0.0.1" }, callback);
};
