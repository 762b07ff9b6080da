export { toolTimeout } from './timeout.js';
