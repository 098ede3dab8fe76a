import { LICENSE } from '../site.ts'
import { MEDIAWIKI } from './packages.ts'

/**
 * Settings of a MediaWiki as a good operator has them: code compiled once and never looked at again, objects
 * and parsed pages in the memory that PHP's workers share, messages as compiled files, no work done by readers.
 */

/** PHP's workers, all there from the start. More than the core that they share can use costs time (measured). */
const WORKERS = 6

/** What stands under a table that has this peer. */
export const MEDIAWIKI_NOTE = `mediawiki: of its answers the title, the text, the second of the edit and the license are compared; its JSON is its own. nginx, php-fpm with ${WORKERS} workers on the servers' core, MariaDB on all; PHP's opcode cache without checks of files, APCu for objects, revisions and parsed pages, messages compiled, every page asked for once before the loads.`

const isRoot = process.getuid?.() === 0

export const mariadbSettings = (folder: string): string => `[mariadbd]
datadir=${folder}/data
socket=${folder}/mariadb.sock
pid-file=${folder}/mariadb.pid
${isRoot ? 'user=root\n' : ''}skip-networking
skip-name-resolve
innodb_buffer_pool_size=512M
innodb_flush_log_at_trx_commit=0
`

/** Appended to what MediaWiki's own installer wrote. */
export const localSettings = (folder: string): string => `
$wgMainCacheType = CACHE_ACCEL;
$wgParserCacheType = CACHE_ACCEL;
$wgMessageCacheType = CACHE_ACCEL;
$wgSessionCacheType = CACHE_ACCEL;
$wgLocalisationCacheConf['store'] = 'array';
$wgCacheDirectory = '${folder}/cache';
$wgJobRunRate = 0;
$wgCapitalLinks = false;
$wgRightsUrl = '${LICENSE}';
$wgRightsText = 'License';
`

export const phpOptions: Record<string, string> = {
  'opcache.enable': '1',
  'opcache.memory_consumption': '256',
  'opcache.interned_strings_buffer': '32',
  'opcache.max_accelerated_files': '20000',
  'opcache.validate_timestamps': '0',
  'apc.enabled': '1',
  'apc.shm_size': '256M',
  realpath_cache_size: '4M',
  realpath_cache_ttl: '3600',
  memory_limit: '256M',
}

export const fpmSettings = (folder: string): string => `[global]
error_log = ${folder}/php-fpm.log
daemonize = no
[wiki]
${isRoot ? 'user = root\ngroup = root\n' : ''}listen = ${folder}/php.sock
pm = static
pm.max_children = ${WORKERS}
env[MW_CONFIG_FILE] = ${folder}/LocalSettings.php
`

/** php-fpm refuses to run as root unless it is told to. */
export const fpmArguments: string[] = [
  ...(isRoot ? ['--allow-to-run-as-root'] : []),
  ...Object.entries(phpOptions).flatMap(([name, value]) => ['-d', `${name}=${value}`]),
]

export const nginxSettings = (
  folder: string,
  port: number,
): string => `${isRoot ? 'user root;\n' : ''}daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/nginx.log;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000;
  client_body_temp_path ${folder}/nginx-body;
  fastcgi_temp_path ${folder}/nginx-fastcgi;
  proxy_temp_path ${folder}/nginx-proxy;
  scgi_temp_path ${folder}/nginx-scgi;
  uwsgi_temp_path ${folder}/nginx-uwsgi;
  upstream php { server unix:${folder}/php.sock; keepalive ${WORKERS}; }
  server {
    listen 127.0.0.1:${port};
    location / { return 204; }
    location /rest.php/ {
      include /etc/nginx/fastcgi_params;
      fastcgi_param SCRIPT_FILENAME ${MEDIAWIKI}/rest.php;
      fastcgi_param SCRIPT_NAME /rest.php;
      fastcgi_keep_conn on;
      fastcgi_buffers 32 16k;
      fastcgi_pass php;
    }
  }
}
`
