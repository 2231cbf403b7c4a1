// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

/// A token to test with. Anybody makes as much of it as wanted.
contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);

    uint8 public immutable decimals;
    /// While it is set, transfers move nothing, and say so only by their answer.
    bool public isMute;
    mapping(address => uint256) public balanceOf;

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }

    function setMute(bool isMute_) external {
        isMute = isMute_;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        if (isMute) return false;
        move(to, value);
        return true;
    }

    /// Several payments in one transaction.
    function transferAll(address[] calldata to, uint256[] calldata value) external {
        for (uint256 i = 0; i < to.length; i++) move(to[i], value[i]);
    }

    function move(address to, uint256 value) private {
        require(balanceOf[msg.sender] >= value, "too little");
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
    }
}

/// Pays native coins from within a call, and refuses them when they are sent to it.
contract Purse {
    constructor() payable {}

    function pay(address payable to, uint256 value) external {
        (bool isPaid, ) = to.call{value: value}("");
        require(isPaid, "not paid");
    }
}
