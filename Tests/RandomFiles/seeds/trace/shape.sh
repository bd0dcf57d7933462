#!/bin/bash
DEV=eth0
tc qdisc add dev eth0 root handle 1: htb default 10
tc class add dev eth0 parent 1: classid 1:10 htb rate 1mbit ceil 10mbit
sleep 10
tc qdisc add dev eth0 parent 1:10 handle 10: netem delay 20ms rate 2500kbit; sleep 0.5m
tc qdisc del dev eth0 root
